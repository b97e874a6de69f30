// SPDX-License-Identifier: Apache-2.0
// Parts of the registry's costs. That the closed forms are the costs of the schedules is a property in
// registry_test.cpp.
#include "collectives/cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/patterns/dimension_pipeline.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"
#include "collectives/registry.hpp"
#include "collectives/simulator.hpp"

namespace cohort {
namespace {

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

TEST(PipelineBlocks, AreNeverTooSmallNorTooMany) {
  Problem problem;
  problem.element_bytes = 8;
  for (const Count delay : {Count{-1}, Count{0}, Count{3}, Count{16}, Count{100'000}}) {
    for (Count count = 0; count < Count{1} << 40; count = count * 3 + 1) {
      problem.count = count;
      const Count blocks = pipeline_blocks(problem, delay);
      EXPECT_GE(blocks, 1);
      EXPECT_LE(blocks, std::max<Count>(count, 1));
      if (blocks > 1) {
        EXPECT_GE(count * problem.element_bytes / blocks, smallest_block_bytes);
      }
      if (delay <= 0) {
        EXPECT_EQ(blocks, 1);
      }
    }
  }
  // Near the minimum of (n + delay) (alpha + beta m / n).
  problem.count = Count{1} << 21;
  const auto seconds = [&](Count blocks) {
    const double bytes = 8.0 * static_cast<double>(problem.count) / static_cast<double>(blocks);
    return static_cast<double>(blocks + 3) * (problem.network.alpha + problem.network.beta * bytes);
  };
  const Count chosen = pipeline_blocks(problem, 3);
  for (Count blocks = 1; blocks < 4 * chosen; ++blocks) EXPECT_LE(seconds(chosen), 1.001 * seconds(blocks));
  problem.parameters.set("blocks", 7);
  EXPECT_EQ(pipeline_blocks(problem, 3), 7);
}

TEST(PipelineBlocks, DoNotTakeLongerThanASocketMayQueue) {
  Problem problem;
  problem.count = Count{1} << 24;
  const double longest = 1.001 * longest_block_s;  // their number is a whole one
  for (const double alpha : {0.0, 1e-6, 12e-6, 0.99 * short_start * longest_block_s}) {
    problem.network.alpha = alpha;
    const double bytes = static_cast<double>(problem.count) / pipeline_blocks(problem, 3);
    EXPECT_LE(problem.network.beta * bytes, longest);
  }
  problem.network.alpha = 2 * short_start * longest_block_s;
  EXPECT_GT(problem.network.beta * static_cast<double>(problem.count) / pipeline_blocks(problem, 3), longest);
}

TEST(PipelineBlocks, AreAsSmallAsTheyMayBeWhereMessagesCostNothing) {
  Problem problem;
  problem.operation = Operation::bcast;
  problem.ranks = 24;
  problem.count = 24 * smallest_block_bytes;
  problem.network.alpha = 0;
  EXPECT_EQ(pipeline_blocks(problem, 0), 1);
  EXPECT_EQ(pipeline_blocks(problem, 3), 24);
  problem.parameters.set("pieces", 1);
  for (const std::vector<Rank>& mesh : {std::vector<Rank>{24}, std::vector<Rank>{6, 4}}) {
    const DimensionPieces cut = dimension_pieces(problem, Mesh(mesh));
    for (const Rank inner : cut.inner) EXPECT_EQ(inner, 24);
  }
  EXPECT_EQ(dimension_pieces(problem, Mesh({2, 12})).inner, (std::vector<Rank>{1, 24}));
}

// The property in registry_test.cpp names the number of blocks, so that they divide evenly. Here the algorithm chooses
// it: the rounds must be right on every network.
TEST(PipelineBlocks, AreByDefaultAsManyInTheClosedForms) {
  Network combining_is_dear;
  combining_is_dear.gamma = 30 * combining_is_dear.beta;
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : {2, 3, 8, 13}) {
      for (const Network& network : {Network{}, combining_is_dear}) {
        Problem problem;
        problem.operation = algorithm.operation;
        problem.ranks = p;
        problem.count = p * (Count{1} << 16);
        problem.blocks = problem.receive_blocks = Blocks(p, Count{1} << 16);
        problem.element_bytes = 8;
        problem.network = network;
        problem.commutative = algorithm.needs.commutative;
        if (obstacle(algorithm, problem)) continue;
        EXPECT_EQ(simulate(algorithm, problem, Ports::duplex).cost.rounds, algorithm.costs(problem).rounds)
            << algorithm.name << " " << p;
      }
    }
  }
}

TEST(Registry, IsCompleteAndNamesAreUniqueAndSayTheOperation) {
  for (const Algorithm& algorithm : registry()) {
    EXPECT_EQ(find_algorithm(algorithm.name), &algorithm);
    const std::string operation = std::string(name_of(algorithm.operation)) + "/";
    EXPECT_EQ(algorithm.name.substr(0, operation.size()), operation);
    EXPECT_NE(algorithm.schedule, nullptr) << algorithm.name;
    EXPECT_NE(algorithm.costs, nullptr) << algorithm.name;
  }
  EXPECT_EQ(find_algorithm("bcast/nonsense"), nullptr);
}

TEST(Registry, ObstaclesAreNamed) {
  Problem problem;
  problem.operation = Operation::reduce;
  problem.commutative = false;
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem),
            "reduce/circulant: it needs a commutative operator");
  EXPECT_EQ(obstacle(*find_algorithm("bcast/binomial"), problem), "bcast/binomial: it is for another operation");
  problem.commutative = true;
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem), std::nullopt);
  problem.ranks = 12;
  problem.mesh = {3, 5};
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem),
            "reduce/circulant: a mesh of 3x5 does not have 12 ranks");
  problem.mesh = {};
  problem.parameters.set("blocks", 0);
  EXPECT_EQ(obstacle(*find_algorithm("reduce/circulant"), problem),
            "reduce/circulant: blocks is 1 to 1073741824 here, not 0");
  EXPECT_EQ(obstacle(*find_algorithm("reduce/recursive_split"), problem),
            "reduce/recursive_split: there is no parameter blocks (there is: none)");
}

std::string complaint_of(std::string_view name) {
  try {
    parse_choice(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Registry, ChoicesAreRead) {
  const Choice choice = parse_choice("bcast/circulant:blocks=64");
  EXPECT_EQ(choice.algorithm, find_algorithm("bcast/circulant"));
  EXPECT_EQ(choice.parameters.get("blocks", 0), 64);
  EXPECT_TRUE(parse_choice("bcast/binomial").parameters.list().empty());
  for (const char* name : {"bcast/binomial", "bcast/circulant:blocks=64", "bcast/mesh_scatter_collect:mesh=4x6"}) {
    EXPECT_EQ(to_string(parse_choice(name)), name);
  }
  EXPECT_EQ(
      complaint_of("sync/nonsense"),
      "there is no algorithm 'sync/nonsense'; there are: sync/dissemination, sync/tree, sync/leaders, sync/central");
  EXPECT_EQ(complaint_of("bcst"), "there is no algorithm 'bcst'; 'cohort algorithms' lists them");
  EXPECT_EQ(complaint_of("bcast/circulant:block=4"), "bcast/circulant has no parameter 'block'; it has: blocks");
  EXPECT_EQ(complaint_of("bcast/circulant:blocks=4x"), "'4x' in bcast/circulant:blocks=4x is not a number");
  EXPECT_EQ(complaint_of("bcast/circulant:"), "bcast/circulant has no parameter ''; it has: blocks");
  EXPECT_EQ(complaint_of("bcast/circulant:blocks=1,blocks=2"),
            "blocks stands twice in bcast/circulant:blocks=1,blocks=2");
  EXPECT_EQ(complaint_of("combine/mesh_rings:mesh=4x4x"), "'' in combine/mesh_rings:mesh=4x4x is not a number");
  EXPECT_EQ(complaint_of("bcast/binomial:mesh=2x3"), "bcast/binomial has no parameter 'mesh'; it has: none");
}

}  // namespace
}  // namespace cohort
