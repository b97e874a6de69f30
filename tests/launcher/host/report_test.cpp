// SPDX-License-Identifier: Apache-2.0
// What is said about a process in a call: made-up answers, whole lines.
#include "launcher/host/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cohort {
namespace {

namespace wire = process::v1;

wire::Doing combining(const std::vector<Pid>& from) {
  wire::Doing doing;
  wire::Call& call = *doing.add_calls();
  call.set_operation("combine");
  call.set_number(8);
  call.set_where("loop.cpp:9");
  for (const Pid pid : from) {
    wire::Awaited& awaited = *call.add_awaited();
    awaited.set_pid(pid);
    awaited.set_rank(pid);
  }
  wire::Wait& wait = *doing.add_waits();
  wait.set_seconds(12);
  wait.add_calls(0);
  return doing;
}

std::string awaited_in(const std::vector<Pid>& from) {
  const std::string line = describe(0, combining(from)), head = "in combine #8 of group (0,0) for 12 s, waits for ";
  EXPECT_EQ(line.substr(0, head.size()), head);
  return line.substr(head.size(), line.rfind(" (") - head.size());
}

TEST(Report, WhatRefersToNothingMakesNoSense) {
  EXPECT_TRUE(makes_sense(combining({0, 3}), 4));
  EXPECT_FALSE(makes_sense(combining({0, 4}), 4));
  EXPECT_FALSE(makes_sense(combining({-1}), 4));
  wire::Doing doing = combining({3});
  doing.mutable_waits(0)->add_calls(1);
  EXPECT_FALSE(makes_sense(doing, 4));
}

TEST(Report, WhomACallWaitsForIsNamedOnceInTheOrderOfTheRanks) {
  EXPECT_EQ(awaited_in({3}), "rank 3");
  EXPECT_EQ(awaited_in({3, 3, 3, 3}), "rank 3");
  EXPECT_EQ(awaited_in({5, 3, 5, 4}), "ranks 3, 4 and 5");
  EXPECT_EQ(awaited_in({1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10}), "ranks 1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
}

TEST(Report, NamesTheWaitsOfAHundredThreads) {
  wire::Doing doing = combining({1});
  for (int thread = 1; thread < 100; ++thread) *doing.add_waits() = doing.waits(0);
  const std::string line = describe(0, doing);
  EXPECT_EQ(std::ranges::count(line, ';'), 99) << line;
}

// A process that has gone mad says five bytes for each of them.
TEST(Report, OfWaitsThatNameALongCallAgainAndAgainItHasTheFirst) {
  wire::Doing doing = combining({1});
  doing.mutable_calls(0)->set_where(std::string(1 << 20, 'x'));
  for (int wait = 1; wait < 200'000; ++wait) *doing.add_waits() = doing.waits(0);
  const std::string line = describe(0, doing);
  EXPECT_LT(line.size(), 2u << 20);
  EXPECT_TRUE(line.ends_with("; and 199999 waits more")) << line.substr(line.size() - 40);
}

}  // namespace
}  // namespace cohort
