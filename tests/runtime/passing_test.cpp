// SPDX-License-Identifier: Apache-2.0
// Case 87: what was started goes on in whatever call, also in calls that are complete at once. The other end says that
// it has all of it by a flag, which no call of this process reads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int early_messages = 500;

struct CompleteCall {
  const char* name;
  std::function<void(const Group& all, int turn)> call;  // needs nobody
};

const std::vector<CompleteCall> calls = {
    {"messages_that_are_there",
     [](const Group& all, int turn) {
       all.send(turn, all.rank(), Tag{5});
       EXPECT_EQ(all.receive<int>(all.rank(), Tag{5}), turn);
     }},
    {"early_messages", [](const Group& all, int) { EXPECT_EQ(all.receive<int>(1, Tag{6}), 3); }},
    {"small_sends", [](const Group& all, int turn) { all.send(turn, all.rank(), static_cast<Tag>(100 + turn)); }},
    {"empty_messages",
     [](const Group& all, int) {
       all.send(std::vector<int>{}, all.rank(), Tag{5});
       all.receive(std::vector<int>{}, all.rank(), Tag{5});
     }},
    {"requests_that_have_ended",
     [](const Group& all, int turn) {
       std::vector<Request> requests;
       int value = 0;
       requests.push_back(all.start().send(std::span(&turn, 1), all.rank(), Tag{5}));
       requests.push_back(all.start().receive(std::span(&value, 1), all.rank(), Tag{5}));
       wait_all(requests);
     }},
    {"any_of_requests_that_have_ended",
     [](const Group& all, int turn) {
       std::vector<Request> requests;
       int value = 0;
       requests.push_back(all.start().send(std::span(&turn, 1), all.rank(), Tag{5}));
       requests.push_back(all.start().receive(std::span(&value, 1), all.rank(), Tag{5}));
       while (wait_any(requests) < requests.size()) {
       }
     }},
    {"collectives_of_one",
     [](const Group& all, int turn) { EXPECT_EQ(all.subrange(all.rank(), 1, 1).combine(turn, sum), turn); }},
    {"empty_collectives",
     [](const Group& all, int) {
       all.subrange(all.rank(), 1, 1).combine(std::vector<int>{}, std::vector<int>{}, sum);
     }},
    {"groups", [](const Group& all, int) { EXPECT_EQ(all.subrange(all.rank(), 1, 1).size(), 1); }},
};

// In virtual time nothing passes for who never waits.
class InPassing : public ::testing::TestWithParam<std::tuple<Kind, std::size_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, InPassing,
                         ::testing::Combine(::testing::Values(Kind::memory, Kind::tcp),
                                            ::testing::Range<std::size_t>(0, calls.size()), ::testing::Bool()),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) + "_" + calls[std::get<1>(info.param)].name +
                                  (std::get<2>(info.param) ? "_seldom" : "");
                         });

// One after the other, or with some time of computing between them.
TEST_P(InPassing, Case87WhatWasStartedGoesOnInCallsThatAreCompleteAtOnce) {
  const auto [kind, which, seldom] = GetParam();
  const CompleteCall& complete = calls[which];
  constexpr std::size_t length = 16 << 20;  // many times the credit, and what a socket holds
  const bool few = complete.name == std::string("early_messages");
  const int turns = few ? early_messages : 1'000'000;
  std::atomic<bool> arrived = false;
  run_all({kind, 2, false}, [&, seldom = seldom || few](const Group& all) {
    std::vector<std::uint8_t> data(length);
    if (all.rank() == 1) {
      for (int i = 0; i < early_messages; ++i) all.send(3, 0, Tag{6});
      all.send(0, 0, Tag{7});
      all.receive(data, 0, Tag{9});
      arrived = true;
      return;
    }
    all.receive<int>(1, Tag{7});
    Request request = all.start().send(data, 1, Tag{9});
    const auto end = Clock::now() + 20s;
    int turn = 0;
    for (; turn < turns && !arrived && Clock::now() < end; ++turn) {
      complete.call(all, turn);
      for (const auto start = Clock::now(); seldom && Clock::now() - start < 200us;) std::this_thread::yield();
    }
    EXPECT_TRUE(arrived);
    request.wait();
    for (; few && turn < turns; ++turn) complete.call(all, turn);
  });
}

}  // namespace
}  // namespace cohort::testing
