// SPDX-License-Identifier: Apache-2.0
// The choice for blocks of unequal sizes that all ranks know.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include "collectives/selector/choices.hpp"
#include "collectives/selector/choose.hpp"
#include "collectives/selector/recurring_calls.hpp"
#include "collectives/simulator.hpp"
#include "tests/collectives/networks.hpp"

namespace cohort {
namespace {

Problem problem_of_blocks(Operation operation, const std::vector<Count>& counts) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = static_cast<Rank>(counts.size());
  problem.blocks = problem.receive_blocks = Blocks(counts);
  problem.element_bytes = 8;
  return problem;
}

// Sizes from a seed: some are a thousand times as long as others, and one, at any rank, is the longest by far.
Problem unequal_problem(Operation operation, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](unsigned limit) { return static_cast<Rank>(random() % limit); };
  const Rank ranks = 2 + below(30);
  const Count scale = Count{1} << (4 + below(14));
  std::vector<Count> counts;
  for (Rank rank = 0; rank < ranks; ++rank) counts.push_back(1 + scale * (1 << below(10)) / 1024);
  counts[static_cast<std::size_t>(below(static_cast<unsigned>(ranks)))] = scale * (1 + below(20));
  Problem problem = problem_of_blocks(operation, counts);
  if (has_root(operation)) problem.root = below(static_cast<unsigned>(problem.ranks));
  problem.network = networks[below(static_cast<unsigned>(std::size(networks)))];
  return problem;
}

double simulated_seconds(const Algorithm& algorithm, const Problem& problem) {
  const Simulation simulation = simulate(algorithm, problem, Ports::duplex, {}, {.threads = 1, .on_progress = {}});
  return std::max(simulation.seconds, shared_seconds(simulation.cost, problem));
}

// On links without bursts: with them the mean of a call alone and of one in a row counts. Blocks that take a link less
// than ten messages are priced by closed forms, which are not as exact.
TEST(UnequalBlocks, AreGatheredNearlyAsFastAsCanBe) {
  std::set<std::string_view> chosen;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    Problem problem = unequal_problem(Operation::gather, seed);
    problem.network.burst = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const Algorithm& algorithm : registry()) {
      if (is_eligible(algorithm, problem)) least = std::min(least, simulated_seconds(algorithm, problem));
    }
    const Algorithm& choice = *Choices().choose(problem).algorithm;
    chosen.insert(choice.name);
    const Network& network = problem.network;
    const auto bytes = static_cast<double>(problem.blocks.total() * problem.element_bytes);
    const double limit = network.beta * bytes > 10 * (network.alpha + network.latency) ? 1.1 : 1.3;
    EXPECT_LE(simulated_seconds(choice, problem), limit * least) << "seed " << seed << " " << choice.name;
  }
  EXPECT_GE(chosen.size(), 3u);
}

const Algorithm& call(RecurringCalls& group, const Problem& problem) {
  return *group.choose(problem, [&](const ChoiceProfile& profile) { return choose(problem, profile); }).algorithm;
}

// By the choice's own price, which has losses that are not simulated.
void expect_nearly_the_cheapest(const Algorithm& chosen, const Problem& problem, unsigned seed) {
  const double price = price_of(chosen, problem);
  for (const Algorithm& algorithm : registry()) {
    if (!is_eligible(algorithm, problem)) continue;
    EXPECT_LE(price, 1.1 * price_of(algorithm, problem))
        << name_of(problem.operation) << " seed " << seed << " " << chosen.name << ", not " << algorithm.name;
  }
}

unsigned seeds(unsigned many, unsigned few) { return std::getenv("COHORT_LONG") != nullptr ? many : few; }

TEST(UnequalBlocks, AreSentByWhatIsNearlyTheCheapest) {
  for (const Operation operation :
       {Operation::gather, Operation::scatter, Operation::concat, Operation::reduce_scatter}) {
    for (unsigned seed = 1; seed <= seeds(300, 20); ++seed) {
      const Problem problem = unequal_problem(operation, seed);
      RecurringCalls group;
      expect_nearly_the_cheapest(call(group, problem), problem, seed);
    }
  }
}

// A program whose sizes change with each call has made many other calls before.
TEST(UnequalBlocks, AreSentByWhatIsNearlyTheCheapestIfTheCallRecurs) {
  int improved = 0;
  for (const Operation operation : {Operation::concat, Operation::reduce_scatter}) {
    for (unsigned seed = 1; seed <= seeds(300, 3); ++seed) {
      const Problem problem = unequal_problem(operation, seed);
      RecurringCalls group;
      for (unsigned other = 1; other <= 8; ++other) {
        group.choose(unequal_problem(Operation::gather, other), [](const ChoiceProfile&) { return Choice{}; });
      }
      const Algorithm& first = call(group, problem);  // by estimates
      for (int calls = 2; calls < 4096; ++calls) call(group, problem);
      const Algorithm& last = call(group, problem);
      if (price_of(last, problem) < price_of(first, problem)) ++improved;
      expect_nearly_the_cheapest(last, problem, seed);
    }
  }
  EXPECT_GE(improved, 1);
}

// Members differ in what their calls leave open: whether they are in place, and which exchanges have passed between.
TEST(UnequalBlocks, RecurAlikeForAllRanks) {
  RecurringCalls mine, theirs;
  int choices = 0;
  std::mt19937 random(1);
  for (int call = 0; call < 5000; ++call) {
    // More different calls than are kept, some of them far more often than others.
    const unsigned which = std::min({random() % 60, random() % 60, random() % 60});
    Problem problem = unequal_problem(which % 2 == 0 ? Operation::concat : Operation::gather, which);
    const auto choose_by = [&](const ChoiceProfile& profile) {
      ++choices;
      const bool often = profile.playing.part_of_call > 1;
      return Choice{&registry()[which % 5 + (often ? 5 : 0)], {}, {}};
    };
    const Algorithm* const chosen = mine.choose(problem, choose_by).algorithm;
    problem.in_place = true;
    problem.transit_sizes = {call};
    ASSERT_EQ(theirs.choose(problem, choose_by).algorithm, chosen) << "call " << call;
  }
  EXPECT_LT(choices, 5000);  // of both together
}

TEST(UnequalBlocks, AreChosenForAlikeByAllRanks) {
  for (const Operation operation :
       {Operation::gather, Operation::scatter, Operation::concat, Operation::reduce_scatter, Operation::index}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      Problem problem = unequal_problem(operation, seed);
      Choices choices, later;
      const Algorithm* const choice = choices.choose(problem).algorithm;
      // Another rank calls in place, has made other calls before, and has sizes of its own in an exchange.
      problem.in_place = true;
      later.choose(unequal_problem(operation, seed + 1000));
      if (operation == Operation::index) {
        std::vector<Count> counts(static_cast<std::size_t>(problem.ranks), seed);
        problem.blocks = problem.receive_blocks = Blocks(counts);
      }
      EXPECT_EQ(later.choose(problem).algorithm, choice) << name_of(operation) << " seed " << seed;
    }
  }
}

// 16 MB from the last of 8 ranks pass three others along a binomial tree.
TEST(UnequalBlocks, GoStraightToTheRootFromAnyRank) {
  for (Rank largest = 1; largest < 8; ++largest) {
    std::vector<Count> counts(8, 1000);
    counts[static_cast<std::size_t>(largest)] = 2'000'000;
    const Problem problem = problem_of_blocks(Operation::gather, counts);
    const double once = problem.network.beta * 8 * static_cast<double>(problem.blocks.total());
    EXPECT_LT(simulated_seconds(*Choices().choose(problem).algorithm, problem), 1.01 * once) << largest;
  }
}

}  // namespace
}  // namespace cohort
