// SPDX-License-Identifier: Apache-2.0
// What the papers say of circulant graphs: a broadcast or reduction of n blocks takes n - 1 + ceil(log2 p) rounds for
// every number of ranks, which no schedule can better; a rank's schedule takes O(log p) steps, and is its own.
#include <gtest/gtest.h>

#include "collectives/peers.hpp"
#include "collectives/simulator.hpp"

namespace cohort {
namespace {

// Blocks of one element on a network where a message takes one second, whatever its length: so seconds are rounds.
double rounds_in_the_model(std::string_view name, Rank p, Count blocks) {
  Problem problem;
  const Choice choice = parse_choice(name);
  problem.operation = choice.algorithm->operation;
  problem.ranks = p;
  problem.root = p / 2;
  problem.count = blocks;
  problem.network = {.alpha = 1, .beta = 0, .gamma = 0, .latency = 0};
  problem.parameters.set("blocks", blocks);
  return simulate(*choice.algorithm, problem, Ports::duplex).seconds;
}

TEST(CirculantPaper, BroadcastAndReductionTakeTheFewestRoundsForEveryNumberOfRanks) {
  for (Rank p = 2; p <= 1000; ++p) {
    const int q = ceil_log2(p);
    for (const Count blocks : {1, 2, 5}) {
      ASSERT_EQ(rounds_in_the_model("bcast/circulant", p, blocks), static_cast<double>(blocks - 1 + q)) << p;
      ASSERT_EQ(rounds_in_the_model("reduce/circulant", p, blocks), static_cast<double>(blocks - 1 + q)) << p;
    }
    if (p % 10 == 0) {
      ASSERT_EQ(rounds_in_the_model("bcast/circulant", p, 64), static_cast<double>(64 - 1 + q)) << p;
    }
  }
}

TEST(CirculantPaper, ReduceScatterAndCombineSendTheLeastVolumeInLogarithmicRoundsForEveryNumberOfRanks) {
  for (Rank p = 1; p <= 300; ++p) {
    Problem problem;
    problem.ranks = p;
    problem.count = p;
    problem.blocks = Blocks(p, 1);
    problem.operation = Operation::reduce_scatter;
    const Count q = ceil_log2(p);
    const Cost halving = simulate(*find_algorithm("reduce_scatter/circulant"), problem, Ports::duplex).cost;
    EXPECT_EQ(halving, (Cost{q, p - 1, Count{p} * (p - 1), p - 1, p * q})) << p;
    problem.operation = Operation::combine;
    const Cost both = simulate(*find_algorithm("combine/circulant"), problem, Ports::duplex).cost;
    EXPECT_EQ(both, (Cost{2 * q, 2 * (p - 1), 2 * Count{p} * (p - 1), p - 1, 2 * p * q})) << p;
  }
}

}  // namespace
}  // namespace cohort
