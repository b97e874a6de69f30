// SPDX-License-Identifier: Apache-2.0
// Schedules played by their data on a modelled network, against times found by hand and against bounds.
#include "collectives/simulator/by_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "collectives/registry.hpp"
#include "collectives/verifier.hpp"
#include "collectives/verifier/cases.hpp"
#include "tests/collectives/highest_ranks.hpp"
#include "tests/collectives/segments.hpp"

namespace cohort {
namespace {

// Numbers whose sum shows which of them are in it.
constexpr Network simple{.alpha = 1000, .beta = 10, .gamma = 0.1, .latency = 0};

Problem bcast_problem(Rank ranks, const Network& network = simple) {
  Problem problem;
  problem.operation = Operation::bcast;
  problem.ranks = ranks;
  problem.network = network;
  return problem;
}

double seconds_of(const Algorithm& algorithm, const Problem& problem) {
  return seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem);
}

double bcast_seconds(const char* name, Rank ranks, Count bytes, const Network& network) {
  Problem problem = bcast_problem(ranks, network);
  problem.count = bytes;
  return seconds_of(*find_algorithm(name), problem);
}

TEST(ByData, AMessageTakesItsTimeAndTheLatency) {
  const Network late{.alpha = 1000, .beta = 10, .latency = 7};
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/linear", 2, 3, late), 1000 + 30 + 7);
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/linear", 1, 3, late), 0);
}

// A round waits only for its data: the latencies of a pipeline's blocks pass while others leave.
TEST(ByData, LatenciesOverlap) {
  Problem problem = bcast_problem(3, {.alpha = 1000, .beta = 10, .latency = 5000});
  problem.count = 40;
  problem.parameters.set("blocks", 4);
  EXPECT_DOUBLE_EQ(seconds_of(*find_algorithm("bcast/chain"), problem), (4 + 1) * 1100 + 2 * 5000);
}

// A short message leaves before those that start after it; long ones share the link and all end late.
TEST(ByData, LongMessagesToSeveralRanksShareTheLink) {
  const Network ethernet{.alpha = 0, .beta = 1};
  constexpr Count kib = 1024;
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/binomial", 8, 16 * kib, ethernet), 3 * 16 * kib);
  const double whole = bcast_seconds("bcast/binomial", 8, 16384 * kib, ethernet) / (16384 * kib);
  EXPECT_LT(whole, 3 + 2 + 1);  // the root sends to three at once, the next one to two, and so on
  EXPECT_GT(whole, 0.97 * (3 + 2 + 1));
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/linear", 8, 16384 * kib, ethernet), 7 * 16384 * kib);
}

// Messages to one rank wait for each other, however long they are.
TEST(ByData, MessagesToOneRankFollowEachOther) {
  const auto two = [](Rank me) {
    Schedule schedule;
    for (const Count offset : {0, 1 << 20}) {
      Round& round = schedule.add_round();
      if (me == 0) round.send(1, output(offset, 1 << 20));
      if (me == 1) round.receive(0, output(offset, 1 << 20));
      if (me == 1 && offset == 0) schedule.add_round().send(2, output(0, 1 << 20));
      if (me == 2 && offset == 0) schedule.add_round().receive(1, output(0, 1 << 20));
    }
    return schedule;
  };
  EXPECT_DOUBLE_EQ(seconds_played_by_data(two, bcast_problem(3, {.alpha = 0, .beta = 1})), 2 << 20);
}

// While a rank combines, it begins nothing.
TEST(ByData, CombiningTakesItsTime) {
  const auto reduce = [](Rank me) {
    Schedule schedule;
    const Segment arrived = schedule.add_scratch(100);
    Round& there = schedule.add_round();
    if (me == 0) there.send(1, output(0, 100));
    if (me == 1) there.receive(0, arrived);
    if (me == 1) there.combine_left(output(0, 100), arrived);
    Round& back = schedule.add_round();
    me == 1 ? back.send(0, output(0, 100)) : back.receive(1, output(0, 100));
    return schedule;
  };
  EXPECT_DOUBLE_EQ(seconds_played_by_data(reduce, bcast_problem(2)), 2000 + 10 + 2000);
}

TEST(ByData, WhatLeavesOnRequestWaitsForIt) {
  const auto on_request = [](Rank me) {
    Schedule schedule;
    if (me == 1) schedule.add_round().receive(2, output(0, 10));
    if (me == 2) schedule.add_round().send(1, output(0, 10));
    Round& asked = schedule.add_round();
    if (me == 0) asked.send(1, output(0, 10));
    if (me == 1) asked.receive(0, output(0, 10));
    if (me == 0) schedule.send_on_request();
    return schedule;
  };
  const Network late{.alpha = 1000, .beta = 10, .latency = 7};
  // The same place in memory: rank 1 asks for the second message when it has the first.
  EXPECT_DOUBLE_EQ(seconds_played_by_data(on_request, bcast_problem(3, late)), 1107 + 7 + 1107);
}

// Four hosts of two ranks exchange in a ring, all at once: a host's link carries the bytes of both.
TEST(ByData, RanksShareTheLinkOfTheirHost) {
  Problem problem = bcast_problem(8, {.alpha = 1000, .beta = 10, .latency = 7});
  problem.mesh = {4, 2};
  problem.within_host = Network{.alpha = 100, .beta = 1, .latency = 3};
  const auto exchange = [](Rank distance) {
    return [distance](Rank me) {
      Schedule schedule;
      Round& round = schedule.add_round();
      const Rank partner = distance == 1 ? me ^ 1 : (me + distance) % 8;
      round.send(partner, output(0, 50));
      round.receive(distance == 1 ? partner : (me + 8 - distance) % 8, output(50, 50));
      return schedule;
    };
  };
  EXPECT_DOUBLE_EQ(seconds_played_by_data(exchange(2), problem), 1000 + 2 * 500 + 7);
  EXPECT_DOUBLE_EQ(seconds_played_by_data(exchange(1), problem), 100 + 50 + 3);
}

// A full bucket lets so many bytes of each link pass at once.
TEST(ByData, BurstsPassAtOnce) {
  const Network bursts{.alpha = 0, .beta = 1, .burst = 1000};
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/linear", 2, 900, bursts), 0);
  EXPECT_DOUBLE_EQ(bcast_seconds("bcast/linear", 3, 900, bursts), 800);
}

// At least the time of the busiest port, in every algorithm.
TEST(ByData, NothingPassesAPortFasterThanItsRate) {
  const Rank highest = tests::highest_ranks(17);
  std::size_t cases = 0;
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : {2, 3, 5, 8, 13, 17}) {
      if (p > highest) continue;
      for (Problem problem : verifier::even_problems(algorithm, p)) {
        if (problem.within_host) continue;
        problem.network = {.alpha = 50, .beta = 3, .gamma = 0.5, .latency = 80};
        std::vector<double> out(static_cast<std::size_t>(p)), in(out);
        const double seconds =
            seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem,
                                   [&](Rank from, Rank to, Count elements) {
                                     const double busy = 50 + 3 * static_cast<double>(elements * problem.element_bytes);
                                     out[static_cast<std::size_t>(from)] += busy;
                                     in[static_cast<std::size_t>(to)] += busy;
                                   });
        const double least = std::max(*std::ranges::max_element(out), *std::ranges::max_element(in));
        ASSERT_GE(seconds, least > 0 ? least + 80 : 0) << algorithm.name << " " << to_string(problem);
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 1000u);
}

}  // namespace
}  // namespace cohort
