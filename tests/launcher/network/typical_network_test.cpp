// SPDX-License-Identifier: Apache-2.0
// What processes that share cores pay: the choice then goes by the number of all messages.
#include "launcher/network/typical_network.hpp"

#include <gtest/gtest.h>

#include "collectives/selector/choose.hpp"

namespace cohort {
namespace {

constexpr Rank ranks = 16;

Count messages_of_sync(const Network& network) {
  Problem problem;
  problem.operation = Operation::sync;
  problem.ranks = ranks;
  problem.network = network;
  const Choice choice = choose(problem);
  return choice.algorithm->costs(problem).messages;
}

TEST(SharedCores, MakeMessagesCountWhereProcessesAreMoreThanCores) {
  Network apart;
  share_cores(apart, ranks, ranks);
  EXPECT_EQ(apart, Network());

  Network together;
  share_cores(together, ranks, 2);
  EXPECT_GT(together.shared_alpha, 0);
  EXPECT_NEAR(together.alpha + together.latency, 1.4 * together.shared_alpha, 1e-12);
  EXPECT_LT(messages_of_sync(together), messages_of_sync(apart));
  EXPECT_EQ(messages_of_sync(together), 2 * (ranks - 1)) << "in and out along a tree";
}

TEST(SharedCores, WhatOthersTookWhileItWasMeasuredIsNotTheNetworks) {
  Network quiet{.alpha = 8e-6, .latency = 0}, disturbed{.alpha = 30e-6, .latency = 200e-6};
  share_cores(quiet, ranks, 2);
  share_cores(disturbed, ranks, 2);
  EXPECT_EQ(quiet, disturbed);
}

// Two hops take no longer than three messages, three hops longer than four: docs/decisions/losses.md.
TEST(SharedCores, LetFourProcessesGoAlongTrees) {
  Problem problem;
  problem.ranks = 4;
  problem.count = 64;
  problem.network = typical_within_host(problem.ranks, 2);
  EXPECT_NEAR(problem.network.alpha + problem.network.latency, 1.4 * problem.network.shared_alpha, 1e-12);
  problem.operation = Operation::bcast;
  EXPECT_EQ(choose(problem).algorithm->name, "bcast/recursive_split");
  problem.operation = Operation::prefix;
  EXPECT_EQ(choose(problem).algorithm->costs(problem).messages, 4);
}

TEST(SharedCores, CountAsOneWhereAQuotaLeavesLessThanOne) {
  EXPECT_EQ(typical_within_host(ranks, 0), typical_within_host(ranks, 1));
}

}  // namespace
}  // namespace cohort
