// The closed forms in the registry are what the schedules cost, and the schedules' rounds are rounds: what is sent in
// one is received in the same one.
#include "collectives/cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/peers.hpp"
#include "collectives/registry.hpp"
#include "collectives/verifier.hpp"
#include "tests/collectives/cases.hpp"

namespace cohort {

void PrintTo(const Cost& cost, std::ostream* out) {
  *out << cost.rounds << " rounds, volume " << cost.volume << ", total " << cost.total;
}

namespace {

TEST(Cost, TheClosedFormsAreWhatTheSchedulesCost) {
  const Rank highest = tests::highest_ranks(40);
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.costs == nullptr) continue;
    for (Rank p = 1; p <= highest; ++p) {
      for (const Count blocks : {1, 2, 5, 32}) {
        Problem problem;
        problem.operation = algorithm.operation;
        problem.ranks = p;
        problem.root = p / 3;
        problem.count = 3 * p * blocks;
        problem.blocks = problem.receive_blocks = Blocks(p, 3);
        problem.distance = blocks - 2;
        problem.cyclic = p % 2 == 0;
        problem.parameters.set("blocks", blocks);
        ASSERT_EQ(counted_cost(algorithm, problem), algorithm.costs(problem))
            << algorithm.name << " " << to_string(problem);
      }
    }
  }
}

using Transfer = std::tuple<Rank, Rank, Count>;  // from, to, elements

std::vector<std::vector<Transfer>> transfers(const Algorithm& algorithm, std::span<const Problem> ranks, bool sent) {
  std::vector<std::vector<Transfer>> rounds;
  Round storage;
  for (Rank me = 0; me < static_cast<Rank>(ranks.size()); ++me) {
    const Schedule schedule = algorithm.schedule(ranks[static_cast<std::size_t>(me)], me);
    rounds.resize(std::max(rounds.size(), schedule.rounds()));
    for (std::size_t i = 0; i < schedule.rounds(); ++i) {
      const Round& round = schedule.round(i, storage);
      for (const Message& message : sent ? round.sends() : round.receives()) {
        rounds[i].emplace_back(sent ? me : message.peer, sent ? message.peer : me, message.segments.count());
      }
    }
  }
  for (auto& round : rounds) std::sort(round.begin(), round.end());
  return rounds;
}

TEST(Rounds, WhatIsSentInARoundIsReceivedInIt) {
  const Rank highest = tests::highest_ranks(20);
  for (const Algorithm& algorithm : registry()) {
    for (Rank p = 1; p <= highest; ++p) {
      tests::for_each_case(algorithm, p, [&](std::span<const Problem> ranks) {
        EXPECT_EQ(transfers(algorithm, ranks, true), transfers(algorithm, ranks, false))
            << algorithm.name << " " << to_string(ranks.front());
        return !testing::Test::HasFailure();
      });
    }
  }
}

// Single-ported: a rank sends to one and receives from one.
TEST(Rounds, AreSinglePorted) {
  const Rank highest = tests::highest_ranks(20);
  for (const Algorithm& algorithm : registry()) {
    for (Rank p = 1; p <= highest; ++p) {
      tests::for_each_case(algorithm, p, [&](std::span<const Problem> ranks) {
        Round storage;
        for (Rank me = 0; me < p; ++me) {
          const Schedule schedule = algorithm.schedule(ranks[static_cast<std::size_t>(me)], me);
          for (std::size_t i = 0; i < schedule.rounds(); ++i) {
            const Round& round = schedule.round(i, storage);
            EXPECT_LE(round.sends().size(), 1u) << algorithm.name << " " << to_string(ranks.front());
            EXPECT_LE(round.receives().size(), 1u) << algorithm.name << " " << to_string(ranks.front());
          }
        }
        return !testing::Test::HasFailure();
      });
    }
  }
}

TEST(ExclusivePrefix, TheWindowsTargetHasTheFewestOnes) {
  for (Rank p = 2; p <= 300; ++p) {
    const Rank end = Rank{1} << ceil_log2(p);
    int fewest = 32;
    for (Rank target = p - 1; target < end; ++target) {
      fewest = std::min(fewest, std::popcount(static_cast<std::uint32_t>(target)));
    }
    const Rank chosen = exclusive_prefix::window_target(p);
    EXPECT_GE(chosen, p - 1);
    EXPECT_LT(chosen, end);
    EXPECT_EQ(std::popcount(static_cast<std::uint32_t>(chosen)), fewest) << p;
  }
}

TEST(Choice, IsPossibleAndTheSameOnAllRanks) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : {1, 2, 3, 16, 1000}) {
      for (const Count count : {Count{0}, Count{1}, Count{1000}, Count{1} << 20, Count{1} << 40}) {
        for (const bool commutative : {false, true}) {
          Problem problem;
          problem.operation = algorithm.operation;
          problem.ranks = p;
          problem.count = count;
          problem.blocks = problem.receive_blocks = Blocks(p, count);
          problem.commutative = commutative;
          problem.element_bytes = 8;
          const Algorithm& chosen = choose(problem);
          EXPECT_EQ(obstacle(chosen, problem), std::nullopt);
          // What one rank alone knows must not matter.
          problem.blocks = Blocks(std::vector<Count>(static_cast<std::size_t>(p), 1));
          problem.receive_blocks = Blocks(std::vector<Count>(static_cast<std::size_t>(p), 2));
          if (problem.operation == Operation::index) {
            EXPECT_EQ(&choose(problem), &chosen);
          }
        }
      }
    }
  }
}

TEST(Registry, NamesAreUniqueAndSayTheOperation) {
  for (const Algorithm& algorithm : registry()) {
    EXPECT_EQ(find_algorithm(algorithm.name), &algorithm);
    const std::string operation = std::string(name_of(algorithm.operation)) + "/";
    EXPECT_EQ(algorithm.name.substr(0, operation.size()), operation);
  }
  EXPECT_EQ(find_algorithm("bcast/nonsense"), nullptr);
}

TEST(Registry, ObstaclesAreNamed) {
  Problem problem;
  problem.operation = Operation::reduce;
  problem.commutative = false;
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem), "reduce/circulant needs a commutative operator");
  EXPECT_EQ(obstacle(*find_algorithm("bcast/binomial"), problem), "bcast/binomial is not an algorithm for reduce");
  problem.commutative = true;
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem), std::nullopt);
}

}  // namespace
}  // namespace cohort
