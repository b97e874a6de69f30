// SPDX-License-Identifier: Apache-2.0
// Process groups: lists, partitions, subranges, their identifiers and their independence.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Groups : public ::testing::TestWithParam<std::tuple<Kind, bool>> {
 protected:
  void everywhere(Pid ranks, const std::function<void(Process&)>& program) const {
    World world{std::get<0>(GetParam()), ranks};
    world.develop = std::get<1>(GetParam());
    run(world, program);
  }
};

TEST_P(Groups, PartitionRanksByKeyThenByRank) {
  everywhere(7, [](Process& self) {
    const Group all = self.all();
    const Group half = all.partition(all.rank() % 2, -(all.rank() / 4));
    EXPECT_EQ(half.label(), all.rank() % 2);
    const std::vector<Pid> wanted = all.rank() % 2 == 0 ? std::vector<Pid>{4, 6, 0, 2} : std::vector<Pid>{5, 1, 3};
    EXPECT_EQ(half.members(), wanted);
    EXPECT_EQ(half.pid_of(half.rank()), self.pid());
    EXPECT_EQ(half.rank_of(self.pid()), half.rank());
    EXPECT_TRUE(half.contains(self.pid()));
    EXPECT_FALSE(half.contains(all.rank() % 2 == 0 ? 1 : 0));
    EXPECT_FALSE(half.contains(-1));
    EXPECT_FALSE(half.contains(7));
    EXPECT_THROW(static_cast<void>(half.rank_of(all.rank() % 2 == 0 ? 1 : 0)), Error);
    EXPECT_EQ(half.combine(self.pid(), sum), all.rank() % 2 == 0 ? 12 : 9);
  });
}

TEST_P(Groups, ListsKeepTheirOrderAndGetNewIdentifiers) {
  everywhere(5, [](Process& self) {
    if (self.pid() == 2) return;  // not a member: does not call
    const std::vector<Pid> list = {4, 0, 3, 1};
    const Group first = self.group(list, 7);
    const Group second = self.group(list, 8);
    EXPECT_EQ(first.members(), list);
    EXPECT_EQ(first.label(), 7);
    EXPECT_NE(first.id(), second.id());
    EXPECT_EQ(first.id().pid, 4);
    const std::vector<GroupId> ids = second.concat(first.id());
    for (const GroupId& id : ids) EXPECT_EQ(id, first.id());
    EXPECT_EQ(first.gather(self.pid(), 0), first.rank() == 0 ? list : std::vector<Pid>{});
  });
}

TEST_P(Groups, OfAnotherGroupsRanksAreMade) {
  everywhere(6, [](Process& self) {
    if (self.pid() % 2 == 0) return;
    const Group odd = self.all().subrange(1, 2, 3);
    if (odd.rank() != 1) {
      const Group turned = odd.group({2, 0}, 5);
      EXPECT_EQ(turned.members(), (std::vector<Pid>{5, 1}));
      EXPECT_EQ(turned.label(), 5);
      EXPECT_EQ(turned.combine(self.pid(), sum), 6);
    } else {
      EXPECT_THROW(static_cast<void>(odd.group({2, 0})), Error);  // not a member
    }
    EXPECT_THROW(static_cast<void>(odd.group({odd.rank(), 3})), Error);
    EXPECT_THROW(static_cast<void>(odd.group({odd.rank(), odd.rank()})), Error);
  });
}

TEST_P(Groups, SubrangeNeedsNoMessage) {
  everywhere(9, [](Process& self) {
    const Group all = self.all();
    if (all.rank() % 3 == 1) {
      const Group every_third = all.subrange(1, 3, 3);
      EXPECT_EQ(every_third.members(), (std::vector<Pid>{1, 4, 7}));
      EXPECT_EQ(every_third.combine(self.pid(), sum), 12);
      const Group again = all.subrange(1, 3, 3);
      EXPECT_NE(every_third.id(), again.id());
      const Group backwards = all.subrange(7, -3, 3);
      EXPECT_EQ(backwards.members(), (std::vector<Pid>{7, 4, 1}));
      EXPECT_EQ(backwards.concat(self.pid()), (std::vector<Pid>{7, 4, 1}));
    } else {
      EXPECT_THROW(static_cast<void>(all.subrange(1, 3, 3)), Error);
    }
    EXPECT_THROW(static_cast<void>(all.subrange(0, 1, 10)), Error);
    EXPECT_THROW(static_cast<void>(all.subrange(0, 1, 0)), Error);
    EXPECT_THROW(static_cast<void>(all.subrange(-1, 1, 2)), Error);
  });
}

TEST_P(Groups, AllIsOneGroupHoweverOftenItIsNamed) {
  everywhere(3, [](Process& self) {
    const Group kept = self.all();
    for (int i = 0; i < 5; ++i) EXPECT_EQ((self.pid() == 0 ? kept : self.all()).combine(1, sum), 3);
    const Rank me = self.all().rank();
    EXPECT_NE(self.all().subrange(me, 1, 1).id(), self.all().subrange(me, 1, 1).id());
  });
  everywhere(3, [](Process& self) {
    if (self.pid() == 0) {
      const Group kept = self.all();
      for (int i = 0; i < 5; ++i) kept.sync();
    } else {
      for (int i = 0; i < 5; ++i) self.all().sync();
    }
  });
}

// Every member waits for the next one before it joins the group that the one before it waits for.
TEST_P(Groups, MakingOneIsNoBarrier) {
  everywhere(3, [](Process& self) {
    const auto make = [&](Pid a, Pid b) { EXPECT_EQ(self.group(std::vector<Pid>{a, b}).size(), 2); };
    if (self.pid() == 0) make(0, 1), make(0, 2);
    if (self.pid() == 1) make(1, 2), make(0, 1);
    if (self.pid() == 2) make(0, 2), make(1, 2);
  });
}

TEST_P(Groups, OverlappingGroupsDoNotInterfere) {
  everywhere(6, [](Process& self) {
    const Group all = self.all();
    const Group row = all.partition(self.pid() / 3, self.pid());
    const Group column = all.partition(self.pid() % 3, self.pid());
    for (int round = 0; round < 20; ++round) {
      int in_row = self.pid() * round, in_column = self.pid() + round;
      Request first = row.start().combine(in_place(std::span(&in_row, 1)), sum);
      Request second = column.start().combine(in_place(std::span(&in_column, 1)), sum);
      EXPECT_EQ(all.combine(1, sum), 6);
      second.wait();
      first.wait();
      EXPECT_EQ(in_row, (self.pid() < 3 ? 3 : 12) * round);
      EXPECT_EQ(in_column, 2 * (self.pid() % 3) + 3 + 2 * round);
    }
  });
}

TEST_P(Groups, IdentifiersAreUniqueInTheWholeJob) {
  std::mutex mutex;
  std::multiset<GroupId> named;  // by the member with rank 0
  everywhere(4, [&](Process& self) {
    const Group all = self.all();
    std::vector<Group> groups = {all};
    for (int round = 0; round < 5; ++round) {
      groups.push_back(all.partition(self.pid() % (round + 1), round));
      groups.push_back(self.group(all.members()));
      groups.push_back(all.subrange(0, 1, 4));
      groups.push_back(groups[1].subrange(0, 1, groups[1].size()));
    }
    const std::lock_guard lock(mutex);
    for (const Group& group : groups) {
      if (group.rank() == 0) named.insert(group.id());
    }
  });
  EXPECT_EQ(named.size(), std::set<GroupId>(named.begin(), named.end()).size());
}

TEST_P(Groups, ThousandsAreMadeAndDropped) {
  everywhere(3, [](Process& self) {
    const Group all = self.all();
    for (int round = 0; round < 1000; ++round) {
      const Group group = all.partition(0, round % 2 == 0 ? self.pid() : -self.pid());
      const Group pair = self.pid() < 2 ? all.subrange(0, 1, 2) : all.subrange(2, 1, 1);
      ASSERT_EQ(group.rank(), round % 2 == 0 ? self.pid() : 2 - self.pid());
      ASSERT_EQ(pair.combine(1, sum), pair.size());
    }
  });
}

TEST_P(Groups, Case56BadListsAreArgumentErrors) {
  everywhere(3, [](Process& self) {
    const auto refused = [&](const std::vector<Pid>& list, const std::string& why) {
      try {
        static_cast<void>(self.group(list));
        ADD_FAILURE() << "no error: " << why;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::argument);
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      }
    };
    const Pid me = self.pid(), other = (me + 1) % 3;
    refused({}, "empty");
    refused({me, other, me}, "twice");
    refused({me, 3}, "does not exist");
    refused({me, -1}, "does not exist");
    refused({other}, "is not in the list");

    const Group alone = self.group(std::vector<Pid>{me});
    EXPECT_EQ(alone.size(), 1);
    EXPECT_EQ(alone.combine(5, sum), 5);
    EXPECT_EQ(alone.concat(me), std::vector<Pid>{me});
    alone.sync();
    EXPECT_EQ(self.all().combine(1, sum), 3);  // nothing is broken
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Groups, ::testing::Combine(::testing::ValuesIn(every_kind), ::testing::Bool()),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_develop" : "");
                         });

}  // namespace
}  // namespace cohort::testing
