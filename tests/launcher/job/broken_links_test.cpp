// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/broken_links.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace cohort {
namespace {

TEST(BrokenLinks, WithoutAccusationsNobodyHasToGo) { EXPECT_FALSE(worst({})); }

TEST(BrokenLinks, OneThatIsAccusedAndDoesNotAccuse) {
  for (const Pid accused : {0, 1}) EXPECT_EQ(worst({{1 - accused, accused, "reset"}})->of, accused);
}

TEST(BrokenLinks, OfTwoThatAccuseEachOtherTheHigherWhicheverSpeaksFirst) {
  EXPECT_EQ(worst({{2, 5, "reset"}, {5, 2, "reset"}})->of, 5);
  EXPECT_EQ(worst({{5, 2, "reset"}, {2, 5, "reset"}})->of, 5);
}

TEST(BrokenLinks, OfTwoThatAccuseEachOtherTheOneThatSentNonsense) {
  const std::string nonsense = "it sent a damaged frame header (wrong checksum or kind)";
  EXPECT_EQ(worst({{5, 2, nonsense}, {2, 5, "connection closed"}})->of, 2);
  EXPECT_EQ(worst({{2, 5, "connection closed"}, {5, 2, nonsense}})->of, 2);
}

TEST(BrokenLinks, TheOneWhoseLinksToAllOthersBroke) {
  for (Pid cut = 0; cut < 6; ++cut) {
    std::vector<Accusation> accusations;
    for (Pid other = 0; other < 6; ++other) {
      if (other == cut) continue;
      accusations.push_back({other, cut, "silence"});
      accusations.push_back({cut, other, "silence"});
    }
    EXPECT_EQ(worst(accusations)->of, cut);
  }
}

const auto nobody = [](const Accusation&) { return false; };

TEST(BrokenLinks, AreJudgedOnceTheHostsWereAskedAboutThem) {
  BrokenLinks links;
  EXPECT_FALSE(links.ask());
  links.accuse(0, 1, "reset");
  EXPECT_FALSE(links.judge(nobody));
  EXPECT_EQ(links.ask(), 1u);
  EXPECT_FALSE(links.ask());
  EXPECT_EQ(links.judge(nobody)->of, 1);
  links.forget([](Pid pid) { return pid == 1; });
  EXPECT_TRUE(links.empty());
}

TEST(BrokenLinks, WhatComesAfterAQuestionIsNotJudgedByItsAnswer) {
  BrokenLinks links;
  std::uint32_t answered = 0;
  const auto is_open = [&](const Accusation& one) { return answered < one.question; };
  links.accuse(0, 1, "reset");
  links.ask();
  answered = 1;
  links.accuse(2, 3, "reset");
  EXPECT_EQ(links.judge(is_open)->of, 1);
  links.forget([](Pid pid) { return pid == 1; });
  EXPECT_FALSE(links.judge(is_open));
  EXPECT_EQ(links.ask(), 2u);
  EXPECT_FALSE(links.judge(is_open));
  answered = 2;
  EXPECT_EQ(links.judge(is_open)->of, 3);
}

TEST(BrokenLinks, OneThatIsNotAskedAboutYetHoldsUpThoseThatItHasToDoWith) {
  BrokenLinks links;
  std::uint32_t answered = 0;
  const auto is_open = [&](const Accusation& one) { return answered < one.question; };
  links.accuse(0, 1, "silence");  // 0 is the one that is cut off
  EXPECT_EQ(links.ask(), 1u);
  links.accuse(1, 0, "silence");
  links.accuse(2, 0, "silence");
  answered = 1;
  EXPECT_FALSE(links.judge(is_open));
  EXPECT_EQ(links.ask(), 2u);
  answered = 2;
  EXPECT_EQ(links.judge(is_open)->of, 0);
}

TEST(BrokenLinks, OneThatIsOpenHoldsUpThoseThatItHasToDoWithAndNoOthers) {
  BrokenLinks links;
  for (const auto& [by, of] : std::vector<std::pair<Pid, Pid>>{{7, 6}, {0, 1}, {2, 1}, {3, 2}, {4, 3}, {6, 5}}) {
    links.accuse(by, of, "silence");
  }
  links.ask();
  const auto is_open = [](const Accusation& one) { return one.by == 4; };
  EXPECT_EQ(links.judge(is_open)->of, 6);
  links.forget([](Pid pid) { return pid == 6; });
  EXPECT_FALSE(links.judge(is_open));
  EXPECT_EQ(links.judge(nobody)->of, 1);  // two say so
}

}  // namespace
}  // namespace cohort
