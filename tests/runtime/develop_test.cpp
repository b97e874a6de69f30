// SPDX-License-Identifier: Apache-2.0
// What else develop mode finds: lists of group() that differ, memory that two operations use, and what is left over
// when a process leaves.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Develop : public ::testing::TestWithParam<Kind> {
 protected:
  World world(Pid ranks) const {
    World world{GetParam(), ranks};
    world.develop = true;
    return world;
  }
};

TEST_P(Develop, ListsThatDifferAreAnErrorAtEveryMember) {
  run(world(4), [](Process& self) {
    const bool odd = self.pid() == 2;
    expect_error(ErrorCode::mismatch, {"pid 2, host0 called group of the pids 0, 2 (develop_test.cpp:", "lists differ"},
                 [&] {
                   const Group group = self.group(odd ? std::vector<Pid>{0, 2} : std::vector<Pid>{0, 1, 2, 3});
                   group.sync();
                 });
    EXPECT_EQ(self.all().combine(1, sum), 4);
  });
}

TEST_P(Develop, TheOrderOfAListCounts) {
  run(world(3), [](Process& self) {
    const bool odd = self.pid() == 0;
    expect_error(ErrorCode::mismatch,
                 {"called group of the pids 2, 1, 0 (develop_test.cpp:", "lists differ",
                  "pid 0, host0 called group of the pids 0, 1, 2 (develop_test.cpp:"},
                 [&] {
                   self.group(odd ? std::vector<Pid>{0, 1, 2} : std::vector<Pid>{2, 1, 0}).sync();
                 });
    EXPECT_EQ(self.all().combine(1, sum), 3);
  });
}

// The order of group() calls is each member's own where nobody waits for it: who only computes is not blamed.
TEST_P(Develop, SlowMembersMayMakeCommonGroupsInOrdersOfTheirOwn) {
  using namespace std::chrono_literals;
  run(world(3), [](Process& self, const Pause& pause) {
    const std::vector<Pid> first = {0, 1, 2}, second = {1, 2};
    switch (self.pid()) {
      case 0:
        pause(300ms);
        self.group(first).sync();
        break;
      case 1: {
        const Group row = self.group(second);
        pause(200ms);
        self.group(first).sync();
        row.sync();
        break;
      }
      default:
        self.group(first).sync();
        self.group(second).sync();
    }
  });
}

TEST_P(Develop, AGroupThatAMemberNeverMakesIsNamedAtTheEnd) {
  run(world(2), [](Process& self) {
    if (self.pid() == 1) return self.leave();
    static_cast<void>(self.group(std::vector<Pid>{0, 1}));
    expect_error(ErrorCode::mismatch, {"pid 1, host0 never called group of the pids 0, 1 (develop_test.cpp:"},
                 [&] { self.leave(); });
  });
}

TEST_P(Develop, MemoryOfAnOperationInProgressIsNotLentTwice) {
  run(world(2), [](Process& self) {
    const Group all = self.all(), row = all.partition(0);
    std::vector<int> data(10), other(10);
    const auto whole = std::span(data);
    const Rank peer = 1 - all.rank();
    {
      Request receive = all.start().receive(whole.first(5), peer);
      const std::vector<std::string> words = {
          "its memory is in use by receive with tag 0 on group (0,0) (called at dev"};
      expect_error(ErrorCode::argument, words, [&] { row.combine(in_place(whole.subspan(4, 3)), sum); });
      expect_error(ErrorCode::argument, words, [&] { static_cast<void>(row.start().bcast(whole, 0)); });
      expect_error(ErrorCode::argument, words, [&] { all.send(whole.first(1), peer); });
      expect_error(ErrorCode::argument, words,
                   [&] { static_cast<void>(all.start().receive(whole.first(1), peer, Tag{1})); });
      expect_error(ErrorCode::argument, {"what it sends and receives overlaps"},
                   [&] { all.exchange(std::span(other).first(6), peer, std::span(other).last(6), peer, Tag{2}); });
      row.combine(in_place(whole.last(5)), sum);  // nobody else's
      all.send(std::span(other).first(5), peer);
      receive.wait();
    }
    const Request send = all.start().send(whole, peer), reading_too = all.start().send(whole, peer);
    all.receive(other, peer);
    all.receive(other, peer);
    all.sync();
  });
}

TEST_P(Develop, MessagesThatNobodyReceivedAreNamedAtTheEnd) {
  run(world(2), [](Process& self) {
    const Group all = self.all();
    if (self.pid() == 0) {
      all.send(std::vector<int>(10), 1, Tag{7});
      all.send(std::vector<int>(10), 1, Tag{8});
      return expect_error(ErrorCode::mismatch, {"pid 1, host0 never received a message from this process"},
                          [&] { self.leave(); });
    }
    std::vector<int> data(10);
    all.receive(data, 0, Tag{8});
    expect_error(ErrorCode::mismatch,
                 {"a message of 40 bytes from pid 0, host0 with tag 7 in group (0,0), sent at develop_test.cpp:",
                  "was never received"},
                 [&] { self.leave(); });
  });
}

TEST_P(Develop, MessagesThatNobodyReceivedAreNamedWhereTheirGroupEnds) {
  run(world(3), [](Process& self) {
    const Group all = self.all();
    std::optional<Group> row = all.partition(0);
    const std::string small =
                          "a message of 4 bytes from pid 0, host0 with tag 3 in group (1,0), sent at develop_test.cpp:",
                      large =
                          "a message of 10000000 bytes from pid 0, host0 with tag 0 in group (1,0), sent at develop_";
    Request announced;
    const std::vector<char> many(10'000'000);
    if (self.pid() == 0) {
      row->send(7, 1, Tag{3});
      announced = row->start().send(many, 1);
      all.send(0, 1);
    }
    if (self.pid() == 1) {
      all.receive<int>(0);  // behind the others
      row.reset();
      all.sync();
      return expect_error(ErrorCode::mismatch, {small, large, "was never received"}, [&] { self.leave(); });
    }
    const std::vector<std::string> words = {small, "was never received: pid 1, host0 has let go of the group"};
    expect_error(ErrorCode::mismatch, words, [&] { row->sync(); });
    if (self.pid() == 0) expect_error(ErrorCode::mismatch, words, [&] { announced.wait(); });
    all.sync();
    if (self.pid() == 2) return self.leave();
    expect_error(ErrorCode::mismatch, {"pid 1, host0 never received a message from this process"},
                 [&] { self.leave(); });
  });
}

TEST_P(Develop, AGroupLastsUntilItsRequestsHaveEnded) {
  run(world(2), [](Process& self) {
    int value = 1, got = 0;
    Request sum_of_both = self.all().partition(0).start().combine(in_place(std::span(&value, 1)), sum);
    Request receive = self.all().partition(1).start().receive(std::span(&got, 1), 1 - self.pid());
    {
      const Group row = self.all().partition(2);
      row.send(5, 1 - self.pid());
      EXPECT_EQ(row.receive<int>(1 - self.pid()), 5);
    }
    sum_of_both.wait();
    EXPECT_EQ(value, 2);
    EXPECT_FALSE(receive.test());
    expect_error(ErrorCode::mismatch, {"receive with tag 0 on group (2,0)", "was still in progress when"},
                 [&] { self.leave(); });
    EXPECT_THROW(receive.wait(), Error);
  });
}

TEST_P(Develop, RequestsInProgressAreNamedAtTheEnd) {
  run(world(2), [](Process& self) {
    const Group all = self.all();
    int value = 0;
    Request request = all.start().receive(std::span(&value, 1), 1 - self.pid(), Tag{3});
    expect_error(ErrorCode::mismatch,
                 {"receive with tag 3 on group (0,0) (called at develop_test.cpp:", "was still in progress when"},
                 [&] { self.leave(); });
    EXPECT_THROW(request.wait(), Error);
  });
}

TEST_P(Develop, ASendToAProcessThatLeavesIsAnError) {
  run(world(2), [](Process& self) {
    const Group pair = self.all().partition(0);
    if (self.pid() == 1) {
      expect_error(ErrorCode::mismatch, {"with tag 0 in group", "was never received"}, [&] { self.leave(); });
    } else {
      expect_error(ErrorCode::mismatch, {"send on group", "pid 1, host0 has left the job (develop_test.cpp:"},
                   [&] { pair.send(std::vector<char>(10'000'000), 1); });  // more than is sent unasked
      expect_error(ErrorCode::mismatch, {"pid 1, host0 never received a message"}, [&] { self.leave(); });
    }
  });
}

TEST_P(Develop, ACollectiveWithAProcessThatLeavesIsAnError) {
  run(world(3), [](Process& self) {
    const Group row = self.all().partition(0);
    if (self.pid() == 1) return self.leave();
    expect_error(ErrorCode::mismatch, {"combine #1 on group", "pid 1, host0 has left the job (develop_test.cpp:"},
                 [&] { row.combine(1, sum); });
  });
}

TEST_P(Develop, WhoLeavesAfterAMismatchTellsOfIt) {
  run(world(3), [](Process& self) {
    const Group all = self.all().partition(0), part = self.all().partition(self.pid() == 0);
    if (self.pid() == 0) {
      expect_error(ErrorCode::mismatch,
                   {"combine #1 on group", "has left the job (develop_test.cpp:",
                    "after a group of its failed: rank 0 (pid 1, host0) called sync (develop_test.cpp:",
                    "rank 1 (pid 2, host0) called combine of 1 int, Sum (develop_test.cpp:", "the operations differ"},
                   [&] { all.combine(1, sum); });
    } else {
      expect_error(ErrorCode::mismatch, {"the operations differ"},
                   [&] { self.pid() == 1 ? part.sync() : static_cast<void>(part.combine(1, sum)); });
      self.leave();
    }
  });
}

TEST_P(Develop, LeavingWhereOthersCallSomethingElseIsAnErrorAtAll) {
  run(world(3), [](Process& self) {
    const std::vector<std::string> words = {"rank 1 (pid 1, host0) called leave (develop_test.cpp:",
                                            "rank 0 (pid 0, host0) called combine of 1 int, Sum", "operations differ"};
    if (self.pid() == 1) {
      expect_error(ErrorCode::mismatch, words, [&] { self.leave(); });
    } else {
      expect_error(ErrorCode::mismatch, words, [&] { self.all().combine(1, sum); });
    }
  });
}

// The same for all, in whatever order: nothing is wrong.
TEST_P(Develop, ACorrectProgramHasNoComplaints) {
  run(world(4), [](Process& self) {
    const Group all = self.all(), row = all.partition(self.pid() / 2);
    for (int round = 0; round < 20; ++round) {
      int from_left = -1;
      const Rank right = (all.rank() + 1) % 4, left = (all.rank() + 3) % 4;
      Request receive = all.start().receive(std::span(&from_left, 1), left);
      Request sum_of_row;
      int value = round;
      sum_of_row = row.start().combine(in_place(std::span(&value, 1)), sum);
      all.send(all.rank(), right);
      all.send(round, all.rank(), Tag{5});
      EXPECT_EQ(all.receive<int>(all.rank(), Tag{5}), round);
      receive.wait();
      EXPECT_EQ(from_left, left);
      sum_of_row.wait();
      EXPECT_EQ(value, 2 * round);
      EXPECT_EQ(self.group(std::vector<Pid>{3, 1, 2, 0}).rank(), std::vector<Rank>({3, 1, 2, 0})[self.pid()]);
    }
    self.leave();
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Develop, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
