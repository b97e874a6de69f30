// SPDX-License-Identifier: Apache-2.0
#include "groups/survivors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cohort {
namespace {

const Survivors::Question question{{}, 1};

std::vector<Pid> range(Pid count) {
  std::vector<Pid> pids(static_cast<std::size_t>(count));
  std::iota(pids.begin(), pids.end(), 0);
  return pids;
}

// Members ask, die and leave in every order. There is one answer, as soon as all living members have asked; it lists
// those that were gone by then.
TEST(Survivors, OneAnswerWhenAllWhoAreThereHaveAsked) {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    std::mt19937 random(seed);
    const Pid ranks = std::uniform_int_distribution<Pid>(1, 9)(random);
    std::vector<Pid> askers = range(ranks), mortals;
    for (Pid pid = 0; pid < ranks; ++pid) {
      if (random() % 3 == 0) mortals.push_back(pid);
    }
    struct Event {
      Pid pid;
      bool asks;
    };
    std::vector<Event> events;
    for (const Pid pid : askers) events.push_back({pid, true});
    for (const Pid pid : mortals) events.push_back({pid, false});
    std::ranges::shuffle(events, random);

    Survivors survivors;
    std::set<Pid> gone, asked;
    int answers = 0;
    for (const auto& [pid, asks] : events) {
      if (gone.contains(pid)) continue;
      std::vector<Survivors::Answer> now;
      if (asks) {
        asked.insert(pid);
        if (const auto answer = survivors.asked(pid, question, askers)) now.push_back(*answer);
      } else {
        gone.insert(pid);
        now = survivors.gone({pid});
      }
      const bool complete = !asked.empty() && std::ranges::all_of(askers, [&](Pid member) {
        return gone.contains(member) || asked.contains(member);
      });
      answers += static_cast<int>(now.size());
      ASSERT_EQ(answers, complete ? 1 : 0) << "seed " << seed;
      if (now.empty()) continue;
      EXPECT_EQ(now[0].question, question);
      EXPECT_EQ(now[0].gone, std::vector<Pid>(gone.begin(), gone.end())) << "seed " << seed;
    }
  }
}

// Each keeps memory for all members, and a process that has gone mad asks in twenty bytes.
TEST(Survivors, AProcessHasABoundedNumberOfOpenQuestions) {
  Survivors survivors;
  const std::vector<Pid> both = {0, 1};
  for (std::uint64_t number = 0; number < 2u * Survivors::most_opened; ++number) {
    EXPECT_FALSE(survivors.asked(0, {{}, number}, both));
  }
  EXPECT_EQ(survivors.missing_for(0).size(), static_cast<std::size_t>(Survivors::most_opened));
  EXPECT_TRUE(survivors.asked(1, {{}, 0}, both));  // and one that is answered makes room
  EXPECT_FALSE(survivors.asked(0, {{}, 1u << 20}, both));
  EXPECT_TRUE(survivors.asked(1, {{}, 1u << 20}, both));
  EXPECT_FALSE(survivors.asked(2, {{}, 1u << 21}, both));  // it is no member
  EXPECT_FALSE(survivors.asked(0, {{}, 1u << 21}, both));
  EXPECT_TRUE(survivors.asked(1, {{}, 1u << 21}, both));
}

TEST(Survivors, QuestionsOfSeveralGroupsAndRepeatedOnesDoNotMeet) {
  Survivors survivors;
  const Survivors::Question again{{}, 2}, other{{7, 0, 0}, 1};
  EXPECT_FALSE(survivors.asked(0, question, {0, 1}));
  EXPECT_FALSE(survivors.asked(1, other, {1, 2}));
  EXPECT_TRUE(survivors.asked(1, question, {0, 1}));
  EXPECT_FALSE(survivors.asked(0, again, {0, 1}));
  const auto answers = survivors.gone({2});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].question, other);
  EXPECT_EQ(answers[0].gone, (std::vector<Pid>{2}));
}

TEST(Survivors, WhoIsLostTogetherIsAbsentTogetherAlsoOneThatHadAsked) {
  Survivors survivors;
  for (const Pid pid : {0, 1, 3}) EXPECT_FALSE(survivors.asked(pid, question, {0, 1, 2, 3}));
  const auto answers = survivors.gone({2, 3});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].gone, (std::vector<Pid>{2, 3}));
}

TEST(Sequences, AnyListComesBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<Pid> pids = range(40);
    if (i % 2 == 0) std::ranges::shuffle(pids, random);
    std::erase_if(pids, [&](Pid) { return random() % 5 == 0; });
    EXPECT_EQ(from_sequences(in_sequences(pids), 40), pids);
  }
  EXPECT_EQ(in_sequences(range(10'000)).size(), 3u);
}

TEST(Sequences, NonsenseIsRefused) {
  for (const std::vector<Pid>& bad : std::vector<std::vector<Pid>>{
           {0}, {0, 1, 0}, {0, 1, 11}, {-1, 1, 2}, {9, 1, 2}, {0, -1, 2}, {0, 1 << 30, 2}, {0, 0, 1 << 30}}) {
    EXPECT_FALSE(from_sequences(bad, 10));
  }
}

}  // namespace
}  // namespace cohort
