// SPDX-License-Identifier: Apache-2.0
// What Sanders, Speck and Traeff (2009) claim of their two-tree algorithms, checked in the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "collectives/patterns/shifted_trees.hpp"
#include "collectives/patterns/two_trees.hpp"
#include "collectives/registry.hpp"
#include "collectives/simulator.hpp"
#include "tests/collectives/highest_ranks.hpp"

namespace cohort {
namespace {

std::size_t at(Rank rank) { return static_cast<std::size_t>(rank); }

const Algorithm& algorithm(std::string_view name) { return *find_algorithm(name); }

Problem problem_of(const Algorithm& algorithm, Rank ranks, Count count, Count blocks) {
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = ranks;
  problem.count = count;
  problem.commutative = false;
  if (blocks > 0) problem.parameters.set("blocks", blocks);
  return problem;
}

// Section 4.1: at most 2h + 2k - 1 steps for 2k blocks and h levels below the root, one message in and out in each.
void expect_few_steps(const Problem& problem, const Algorithm& algorithm, Rank levels, Count k) {
  Round storage;
  std::size_t steps = 0;
  for (Rank me = 0; me < problem.ranks; ++me) {
    const Schedule schedule = algorithm.schedule(problem, me);
    steps = std::max(steps, schedule.rounds());
    for (std::size_t i = 0; i < schedule.rounds(); ++i) {
      const Round& round = schedule.round(i, storage);
      ASSERT_LE(round.sends().size(), 1u) << algorithm.name << " p=" << problem.ranks;
      ASSERT_LE(round.receives().size(), 1u) << algorithm.name << " p=" << problem.ranks;
    }
  }
  EXPECT_LE(steps, static_cast<std::size_t>(2 * levels + 2 * k - 1)) << algorithm.name << " p=" << problem.ranks;
}

// Levels of both trees, counted along the parents.
Rank levels_of(const TwoTrees& trees, Rank nodes) {
  Rank levels = trees.top() == TwoTrees::outside ? 0 : 1;
  for (int tree = 0; tree < 2; ++tree) {
    for (Rank node = 1; node <= nodes; ++node) {
      if (node == trees.top()) continue;
      Rank depth = 1;
      for (Rank above = node; above != trees.root(tree); ++depth) above = trees.place(tree, above).parent.node;
      levels = std::max(levels, depth + (trees.top() == TwoTrees::outside ? 0 : 1));
    }
  }
  return levels;
}

TEST(TwoTree, BroadcastAndReductionTakeFewSteps) {
  static constexpr Count k = 3;
  for (Rank p = 3; p <= tests::highest_ranks(1000); ++p) {
    const Rank loose = levels_of(TwoTrees(p - 1, TwoTrees::Order::any), p - 1);
    const Rank kept = levels_of(TwoTrees(p - 1, TwoTrees::Order::kept), p - 1);
    EXPECT_LE(loose, 1 + std::ceil(std::log2(p)));  // the paper's h
    EXPECT_LE(kept, 1 + std::ceil(std::log2(p)));
    for (const auto& [name, levels] : {std::pair{"bcast/two_tree", loose}, std::pair{"reduce/two_tree", kept}}) {
      expect_few_steps(problem_of(algorithm(name), p, 2 * k, 2 * k), algorithm(name), levels, k);
    }
    if (HasFailure()) return;
  }
}

// Section 3: shifting serves as well, also with an odd number of nodes.
TEST(TwoTree, ShiftedTreesTakeFewSteps) {
  static constexpr Count k = 3;
  for (Rank p = 3; p <= tests::highest_ranks(1000); ++p) {
    const ShiftedTrees trees(p - 1);
    Rank levels = 0;
    for (int tree = 0; tree < 2; ++tree) {
      for (Rank node = 1; node < p; ++node) {
        Rank depth = 0;
        for (Rank above = node; above != TwoTrees::outside; ++depth) above = trees.parent(tree, above).node;
        levels = std::max(levels, depth);
      }
    }
    EXPECT_LE(levels, 1 + std::ceil(std::log2(p)));
    const Algorithm& shifted = algorithm("bcast/two_tree_shifted");
    expect_few_steps(problem_of(shifted, p, 2 * k, 2 * k), shifted, levels, k);
    if (HasFailure()) return;
  }
}

struct Seen {
  int parents = 0;  // edges from parents of each colour, as bits
  int children = 0;
};

void add_colour(int& colours, Count first) {
  const int bit = 1 << first % 2;
  EXPECT_EQ(colours & bit, 0) << "two edges of one colour";
  colours |= bit;
}

// Lemma 1. The colour of an edge decides whether it is used in even or in odd rounds.
TEST(TwoTree, TheColouringIsValidAndBothTreesSpanAllNodes) {
  for (Rank nodes = 1; nodes <= tests::highest_ranks(3000); ++nodes) {
    for (const TwoTrees::Order order : {TwoTrees::Order::any, TwoTrees::Order::kept}) {
      const TwoTrees trees(nodes, order);
      std::vector<Seen> seen(at(nodes + 1));
      for (int tree = 0; tree < 2; ++tree) {
        for (Rank node = 1; node <= nodes; ++node) {
          if (node == trees.top()) continue;
          const TwoTrees::Place place = trees.place(tree, node);
          add_colour(seen[at(node)].parents, place.parent.first);
          add_colour(seen[at(place.parent.node)].children, place.parent.first);
          for (const TwoTrees::Edge& child : {place.left, place.right}) {
            if (child.node == InOrderTree::none) continue;
            const TwoTrees::Edge up = trees.place(tree, child.node).parent;
            EXPECT_EQ(up.node, node);
            EXPECT_EQ(up.first, child.first);
          }
        }
      }
      for (Rank node = 1; node <= nodes; ++node) EXPECT_EQ(seen[at(node)].parents, node == trees.top() ? 0 : 3);
      if (HasFailure()) FAIL() << nodes << " nodes";
    }
  }
}

double seconds_with_best_blocks(std::string_view name, Rank ranks, Count bytes) {
  const Problem problem = problem_of(algorithm(name), ranks, bytes, 0);
  return seconds(algorithm(name).costs(problem), problem);
}

TEST(TwoTree, HasTwiceThePipelinedBinaryTreesBandwidth) {
  static constexpr Count large = Count{1} << 34;
  static constexpr Count medium = Count{1} << 24;
  for (const Rank p : {16, 100, 1000}) {
    for (const auto& [name, single] : {std::pair{"bcast/two_tree", "bcast/pipelined_binary"},
                                       {"bcast/two_tree_shifted", "bcast/pipelined_binary"},
                                       {"reduce/two_tree", "reduce/pipelined_binary"}}) {
      EXPECT_NEAR(seconds_with_best_blocks(single, p, large) / seconds_with_best_blocks(name, p, large), 2, 0.1)
          << name;
      EXPECT_GT(seconds_with_best_blocks(single, p, medium) / seconds_with_best_blocks(name, p, medium), 1.6) << name;
    }
    for (const std::string operation : {"prefix/", "exclusive_prefix/"}) {
      // That tree is pipelined both ways, with 3 steps a block.
      const double ratio = seconds_with_best_blocks(operation + "pipelined_binary", p, large) /
                           seconds_with_best_blocks(operation + "two_tree", p, large);
      EXPECT_NEAR(ratio, 1.5, 0.1) << operation;
    }
  }
}

// Section 4.3: about twice a broadcast; 4 steps for a block of either tree.
TEST(TwoTree, PrefixTakesFourStepsForTwoBlocks) {
  static constexpr Count k = 100;
  for (Rank p = 4; p <= tests::highest_ranks(1000); ++p) {
    for (const auto* const name : {"prefix/two_tree", "exclusive_prefix/two_tree"}) {
      const Cost cost = algorithm(name).costs(problem_of(algorithm(name), p, 2 * k, 2 * k));
      EXPECT_LE(cost.rounds, 4 * k + static_cast<Count>(4 * std::log2(p))) << name << " p=" << p;
      EXPECT_GE(cost.rounds, 4 * k) << name << " p=" << p;
    }
  }
}

// Section 5.2: 2 beta m where ranks send or receive, but not both at once.
TEST(TwoTree, CouplesNeedNoFullDuplex) {
  static constexpr Count bytes = Count{1} << 28;
  for (const Rank p : {8, 31, 64}) {
    for (const auto* const name : {"bcast/two_tree_couples", "reduce/two_tree_couples"}) {
      const Problem problem = problem_of(algorithm(name), p, bytes, 0);
      const double bound = 2 * problem.network.beta * static_cast<double>(bytes);
      const double simplex = simulate(algorithm(name), problem, Ports::simplex).seconds;
      EXPECT_GT(simplex, bound) << name << " p=" << p;
      EXPECT_LT(simplex, 1.15 * bound) << name << " p=" << p;
    }
  }
}

// The same section: a prefix takes twice as long as with full duplex, and no rank does two things in a round.
TEST(TwoTree, CouplesPrefixNeedsNoFullDuplex) {
  static constexpr Count bytes = Count{1} << 28;
  for (const auto* const name : {"prefix/two_tree_couples", "exclusive_prefix/two_tree_couples"}) {
    for (const Rank p : {8, 31, 64}) {
      const Problem problem = problem_of(algorithm(name), p, bytes, 0);
      const double bound = 4 * problem.network.beta * static_cast<double>(bytes);
      const double simplex = simulate(algorithm(name), problem, Ports::simplex).seconds;
      EXPECT_GT(simplex, bound) << name << " p=" << p;
      EXPECT_LT(simplex, 1.05 * bound) << name << " p=" << p;
    }
    static constexpr Count k = 20;
    Round storage;
    for (Rank p = 4; p <= tests::highest_ranks(300); ++p) {
      const Problem problem = problem_of(algorithm(name), p, 2 * k, 2 * k);
      EXPECT_LE(algorithm(name).costs(problem).rounds, 8 * k + static_cast<Count>(8 * std::log2(p)))
          << name << " " << p;
      for (Rank me = 0; me < p; ++me) {
        const Schedule schedule = algorithm(name).schedule(problem, me);
        for (std::size_t i = 0; i < schedule.rounds(); ++i) {
          const Round& round = schedule.round(i, storage);
          ASSERT_LE(round.sends().size() + round.receives().size(), 1u) << name << " p=" << p;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cohort
