// SPDX-License-Identifier: Apache-2.0
// The price by which the runtime chooses, against schedules that are played by their data on networks with latencies.
// Alpha here is the postal model's s, the latency its r.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/selector/choose.hpp"
#include "collectives/simulator.hpp"
#include "collectives/simulator/by_data.hpp"
#include "collectives/verifier.hpp"
#include "tests/collectives/highest_ranks.hpp"
#include "tests/collectives/networks.hpp"

namespace cohort {
namespace {

constexpr double exact_enough = 1.10;

bool long_run() { return std::getenv("COHORT_LONG") != nullptr; }

// Sending keeps a rank busy for s. If s is 1, every message begins at a multiple of it, and the closed form is exact.
TEST(Price, OfAFibonacciTreeIsTheTimeOfItsSlowestPath) {
  for (const Operation operation : {Operation::bcast, Operation::reduce, Operation::sync}) {
    const char* const name = operation == Operation::bcast    ? "bcast/fibonacci"
                             : operation == Operation::reduce ? "reduce/fibonacci"
                                                              : "sync/tree";
    const Algorithm& algorithm = *find_algorithm(name);
    for (const Count s : {1, 2, 3}) {
      for (const Count r : {0, 1, 2, 3, 5, 10, 20}) {
        for (Rank p = 2; p <= 256; p += p < 20 ? 1 : 17) {
          const auto gap = static_cast<double>(s), latency = static_cast<double>(r);
          Problem problem = problem_on(operation, p, 1, {.alpha = gap, .beta = 0, .gamma = 0, .latency = latency});
          problem.parameters.set("s", s);
          problem.parameters.set("r", r);
          const double played =
              seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem);
          const double price = seconds_by_data(algorithm.costs(problem), problem);
          const double ways = operation == Operation::sync ? 2 : 1;
          ASSERT_NEAR(price, played, s == 1 || r == 0 ? 1e-9 : ways * std::min(gap, latency))
              << name << " p=" << p << " s=" << s << " r=" << r;
        }
      }
    }
  }
}

// The command that docs/reference/papers.md quotes: 64 ranks, s = 1, r = 3 take 15 steps, and no other tree takes so
// few.
TEST(Price, SixtyFourRanksTakeTheFibonacciTree) {
  for (const Operation operation : {Operation::bcast, Operation::reduce}) {
    const Problem problem = problem_on(operation, 64, 8, {.alpha = 1, .beta = 0, .gamma = 0, .latency = 3});
    const Algorithm& chosen = *choose(problem).algorithm;
    EXPECT_TRUE(chosen.name.ends_with("/fibonacci")) << chosen.name;
    EXPECT_DOUBLE_EQ(price_of(chosen, problem), 15);
    EXPECT_DOUBLE_EQ(seconds_by_data(chosen.costs(problem), problem), 15);
  }
}

struct Seen {
  std::size_t cases = 0;
  std::size_t prices = 0;
  double worst_price = 1;
  double worst_choice = 1;
};

// The price of the chosen algorithm, and of others with nearly the same price, is the time of a play by the data. No
// algorithm's play takes a tenth less than the chosen one's.
void check(const Problem& problem, Seen& seen) {
  static constexpr Count most_messages = 1 << 14;  // algorithms that send more cost far too much here
  const Algorithm* const chosen = choose(problem).algorithm;
  const std::vector<Priced> all = prices(problem);
  const auto least = std::ranges::min_element(all, {}, &Priced::seconds)->seconds;
  double fastest = std::numeric_limits<double>::infinity();
  double chosen_takes = 0;
  const Algorithm* best = nullptr;
  for (const Priced& priced : all) {
    if (cost_on_hosts(*priced.algorithm, problem).messages > most_messages) continue;
    const double takes = price_of(*priced.algorithm, problem);
    if (takes < fastest) best = priced.algorithm;
    fastest = std::min(fastest, takes);
    if (priced.algorithm == chosen) chosen_takes = takes;
    if (priced.seconds > exact_enough * least) continue;
    const double apart = std::max(priced.seconds / takes, takes / priced.seconds);
    EXPECT_LE(apart, exact_enough) << priced.algorithm->name << " " << to_string(problem) << " is priced "
                                   << priced.seconds << " and takes " << takes;
    seen.worst_price = std::max(seen.worst_price, apart);
    ++seen.prices;
  }
  ASSERT_GT(chosen_takes, 0) << chosen->name << " " << to_string(problem);
  EXPECT_LE(chosen_takes, exact_enough * fastest)
      << chosen->name << " for " << best->name << " " << to_string(problem) << " latency " << problem.network.latency
      << " burst " << problem.network.burst;
  seen.worst_choice = std::max(seen.worst_choice, chosen_takes / fastest);
  ++seen.cases;
}

// s to r from 1:1 to 1:20. A sample of the grid; all of it where COHORT_LONG is set.
TEST(Price, IsWhatAPlayTakesAndTheChoiceIsTheCheapestThatIsPlayed) {
  const Rank highest = tests::highest_ranks(256);
  const std::size_t stride = long_run() ? 1 : 59;
  Seen seen;
  std::size_t number = 0;
  for (int i = 0; i <= static_cast<int>(Operation::sync); ++i) {
    for (const Rank p : {2, 3, 4, 7, 8, 13, 16, 32, 61, 64, 100, 128, 256}) {
      for (const Count bytes : {8, 1024, 16 * 1024}) {
        for (const double ratio : {1.0, 2.0, 3.0, 5.0, 10.0, 20.0}) {
          for (const double burst : {0.0, 10e3}) {
            if (++number % stride != 0 || p > highest) continue;
            const Network network{
                .alpha = 8e-6, .beta = 80e-9, .gamma = 0.2e-9, .latency = ratio * 8e-6, .burst = burst};
            check(problem_on(static_cast<Operation>(i), p, bytes, network), seen);
          }
        }
      }
    }
  }
  std::printf("%zu problems, %zu prices: a price is at most %.3f times off, a choice %.3f\n", seen.cases, seen.prices,
              seen.worst_price, seen.worst_choice);
  EXPECT_GE(seen.cases, highest < 256 ? 20u : 80u);
}

// The price of keeping the operands' order: a tenth or a fifth, also if the number of ranks has large prime factors.
TEST(Choose, KeepsTheOrderOfOperandsForLittleMore) {
  for (const Operation operation : {Operation::combine, Operation::reduce_scatter}) {
    for (const Rank p : {100, 101, 109, 113, 121, 125, 127, 134, 139, 143, 149, 150}) {
      for (const Count kib : {16, 32, 64}) {
        Problem problem = problem_on(operation, p, p * (kib * 1024 / p), {});
        const auto seconds = [&](bool commutative) {
          problem.commutative = commutative;
          return simulate(*choose(problem).algorithm, problem, Ports::duplex).seconds;
        };
        EXPECT_LE(seconds(false), 1.25 * seconds(true)) << name_of(operation) << " p " << p << ", " << kib << " KiB";
      }
    }
  }
}

}  // namespace
}  // namespace cohort
