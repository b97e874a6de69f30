#include "launcher/broken_links.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cohort
