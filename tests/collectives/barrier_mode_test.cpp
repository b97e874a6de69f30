// SPDX-License-Identifier: Apache-2.0
// The signals of barrier mode: their tree and their time. That no rank completes before all have started is a property
// in registry_test.cpp.
#include "collectives/barrier_mode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collectives/peers.hpp"
#include "collectives/selector/choose.hpp"
#include "collectives/simulator.hpp"
#include "collectives/verifier.hpp"

namespace cohort {
namespace {

const std::vector<Network> with_latencies{{},
                                          {.alpha = 1, .beta = 0, .latency = 1},
                                          {.alpha = 1, .beta = 0, .latency = 3},
                                          {.alpha = 7, .beta = 1e-3, .latency = 12},
                                          {.alpha = 1, .beta = 0, .latency = 20},
                                          {.alpha = 1, .beta = 0, .latency = 3, .shared_alpha = 1}};

Problem rooted_problem(Operation operation, Rank ranks, Rank root, const Network& network) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  problem.root = root;
  problem.count = 2;
  problem.blocks = problem.receive_blocks = Blocks(ranks, 2);
  problem.barrier = true;
  problem.network = network;
  return problem;
}

// Signals alone, as an algorithm: those of an operation in which nothing else happens.
Schedule no_rounds(const Problem&, Rank) { return {}; }
Schedule signals(const Problem& problem, Rank me) { return with_signals(no_rounds(problem, me), problem, me); }
const Algorithm signals_only{"bcast/signals_only", Operation::bcast, {}, signals, nullptr, "", ""};

double seconds_of_signals(const Problem& problem) {
  const Simulation simulation = simulate(signals_only, problem, Ports::duplex);
  return std::max(simulation.seconds, shared_seconds(simulation.cost, problem));
}

TEST(Signals, OfSixtyFourTake15StepsAt1To3) {
  for (const Operation operation : {Operation::bcast, Operation::scatter, Operation::reduce, Operation::gather,
                                    Operation::prefix, Operation::exclusive_prefix}) {
    const Problem problem = rooted_problem(operation, 64, 0, {.alpha = 1, .beta = 0, .latency = 3});
    EXPECT_DOUBLE_EQ(seconds_of_signals(problem), 15) << name_of(operation);
    EXPECT_DOUBLE_EQ(price_of_signals(problem).seconds, 15);
  }
  EXPECT_DOUBLE_EQ(seconds_of_signals(rooted_problem(Operation::bcast, 64, 0, {.alpha = 1, .beta = 0, .latency = 0})),
                   6);
}

TEST(Signals, TakeWhatTheirPriceSays) {
  for (const Operation operation : {Operation::bcast, Operation::gather}) {
    for (Rank p = 2; p <= 70; ++p) {
      for (const Rank root : {0, p / 3, p / 2, p - 1}) {
        for (const Network& network : with_latencies) {
          const Problem problem = rooted_problem(operation, p, root, network);
          const SignalsPrice price = price_of_signals(problem);
          const double seconds = seconds_of_signals(problem);
          EXPECT_NEAR(price.seconds, seconds, 0.05 * seconds) << p << " " << root << " r " << network.latency;
          EXPECT_EQ(price.cost.messages, p - 1);
          EXPECT_EQ(price.cost.rounds, simulate(signals_only, problem, Ports::duplex).cost.rounds);
        }
      }
    }
  }
}

TEST(Signals, TakeNoLongerThanAlongAHalvingTree) {
  for (const Network& network : with_latencies) {
    for (Rank p = 2; p <= 130; ++p) {
      const double halving = ceil_log2(p) * (network.alpha + network.latency);
      EXPECT_LE(seconds_of_signals(rooted_problem(Operation::reduce, p, 0, network)),
                std::max(halving, (p - 1) * network.shared_alpha) * (1 + 1e-9));
    }
  }
}

// If processors are shared all trees take as long, and a rank should hear from the rank that it signals to.
TEST(Signals, GoAlongTheHalvingTreeWhereMessagesAreWhatCosts) {
  Problem shared = rooted_problem(Operation::bcast, 16, 3, {.alpha = 1, .beta = 0, .latency = 3, .shared_alpha = 2});
  Problem without_latency = shared;
  without_latency.network = {};
  for (Rank me = 0; me < 16; ++me) {
    const Schedule one = signals(shared, me), other = signals(without_latency, me);
    ASSERT_EQ(one.rounds(), other.rounds());
    Round made_one, made_other;
    for (std::size_t round = 0; round < one.rounds(); ++round) {
      const auto &a = one.round(round, made_one).sends(), &b = other.round(round, made_other).sends();
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].peer, b[i].peer);
    }
  }
}

// Messages within hosts take less, so here the tree that is Fibonacci between hosts is the slower one.
TEST(Signals, GoAlongTheHalvingTreeWhereMostStayWithinHosts) {
  Problem problem = rooted_problem(Operation::bcast, 32, 5, {.alpha = 1, .beta = 0, .latency = 6});
  problem.mesh = {4, 8};
  problem.within_host = Network{.alpha = 0.1, .beta = 0, .latency = 0.1};
  EXPECT_DOUBLE_EQ(price_of_signals(problem).seconds, 2 * 7 + 3 * 0.2);  // between hosts, and within
  problem.mesh.clear();
  problem.within_host.reset();
  EXPECT_LT(price_of_signals(problem).seconds, 5 * 7);
}

// All ranks compute the same tree: played by its data, with one rank held back, on networks with latencies.
TEST(Signals, KeepEverybodyUntilAllHaveStarted) {
  Verifier verifier;
  for (const char* name : {"bcast/binomial", "reduce/binomial", "gather/linear", "scatter/binomial", "prefix/doubling",
                           "exclusive_prefix/chain"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    const auto schedule = [&](const Problem& problem, Rank me) { return in_barrier_mode(algorithm, problem, me); };
    for (Rank p = 2; p <= 33; ++p) {
      for (const Network& network : with_latencies) {
        const Rank root = has_root(algorithm.operation) ? p / 2 : 0;
        const std::vector<Problem> problems = same_for_all(rooted_problem(algorithm.operation, p, root, network));
        EXPECT_EQ(verifier.check(name, schedule, problems, every_delivery, 1), std::nullopt);
        for (const Rank held_back : {0, p / 3, p - 1}) {
          EXPECT_EQ(verifier.check_barrier(name, schedule, problems, held_back, 1), std::nullopt);
        }
      }
    }
  }
}

TEST(Prices, ContainTheSignalsOfBarrierMode) {
  for (int number = 0; number <= static_cast<int>(Operation::sync); ++number) {
    const auto operation = static_cast<Operation>(number);
    Problem problem = rooted_problem(operation, 64, 0, {.alpha = 1, .beta = 0, .gamma = 0, .latency = 3});
    problem.distance = 1;
    problem.barrier = false;
    const Algorithm* const chosen = choose(problem).algorithm;
    const double price = price_of(*chosen, problem);
    problem.barrier = true;
    const SignalsPrice signals = price_of_signals(problem);
    EXPECT_EQ(choose(problem).algorithm, chosen);
    EXPECT_DOUBLE_EQ(price_of(*chosen, problem), price + signals.seconds);
    const bool signalled = signals.cost.messages > 0;
    const bool one_way = has_root(operation) || operation == Operation::prefix || operation == Operation::shift ||
                         operation == Operation::exclusive_prefix;
    EXPECT_EQ(signalled, one_way) << name_of(operation);
  }
}

}  // namespace
}  // namespace cohort
