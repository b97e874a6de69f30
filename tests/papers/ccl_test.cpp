// SPDX-License-Identifier: Apache-2.0
// What the algorithms cost is what the paper says: V. Bala et al., "CCL: A Portable and Tunable Collective
// Communication Library for Scalable Parallel Computers". Its formulas, written out as they are printed, against what
// the schedules of all ranks really send.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "collectives/registry.hpp"
#include "collectives/simulator.hpp"
#include "tests/collectives/highest_ranks.hpp"

namespace cohort {
namespace {

const Rank highest = tests::highest_ranks(128);

// CCL's n is the number of processes, and log its ceiling to the base 2 where the paper says so.
Count log2_ceiling(Count n) { return std::bit_width(static_cast<std::uint64_t>(n) - 1); }
bool is_power_of_two(Count n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

// Exact, in integers: the k with radix^k = n, or -1.
Count exact_log(Count n, Count radix) {
  Count k = 0;
  while (n % radix == 0) {
    n /= radix;
    ++k;
  }
  return n == 1 ? k : -1;
}

Count log_ceiling(Count n, Count radix) {
  Count k = 0;
  for (Count power = 1; power < n; power *= radix) ++k;
  return k;
}

// m elements of each process: a vector, or one block.
Cost cost_of(std::string_view name, Rank n, Count m, const Parameters& parameters = {}) {
  const Algorithm& algorithm = *find_algorithm(name);
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = n;
  problem.root = n / 3;
  problem.count = m;
  problem.blocks = problem.receive_blocks = Blocks(n, m);
  problem.parameters = parameters;
  EXPECT_EQ(obstacle(algorithm, problem), std::nullopt);
  return simulate(algorithm, problem, Ports::duplex).cost;
}

Cost cost_with(std::string_view name, Rank n, Count m, const std::string& parameter, Count value) {
  Parameters parameters;
  parameters.set(parameter, value);
  return cost_of(name, n, m, parameters);
}

// Section 4.3: step j of the first k - 1 sends 2^j blocks, the last one n - 2^(k-1), with k = ceil(log n). Every
// process sends as much as every other.
TEST(Ccl, ConcatIsOptimalInAllThreeMeasures) {
  constexpr Count m = 7;
  for (Rank n = 2; n <= highest; ++n) {
    const Count k = log2_ceiling(n);
    Count blocks = 0;
    for (Count j = 0; j <= k - 2; ++j) blocks += Count{1} << j;
    blocks += n - (Count{1} << (k - 1));
    const Cost circulant = cost_of("concat/circulant", n, m);
    EXPECT_EQ(circulant.rounds, k) << n;
    EXPECT_EQ(circulant.volume, blocks * m) << n;
    EXPECT_EQ(circulant.total, n * blocks * m) << n;
    EXPECT_EQ(blocks, n - 1);  // which every process must receive
    // Section 4.4: the hypercube's recursive exchange.
    if (is_power_of_two(n)) {
      EXPECT_EQ(cost_of("concat/recursive_doubling", n, m), circulant) << n;
    }
  }
}

// Section 4.2, with the data that each process has initially, m, in n equal blocks.
TEST(Ccl, IndexTradesRoundsForVolumeByItsRadix) {
  constexpr Count block = 3;
  for (Rank n = 2; n <= highest; ++n) {
    const Count m = n * block;
    for (Count r = 2; r <= n; ++r) {
      const Cost cost = cost_with("index/radix", n, block, "radix", r);
      // "C1 = (r - 1) log_r n, C2 = (m (r - 1) log_r n) / r", about; and exactly where n is a power of r.
      const Count k = exact_log(n, r);
      if (k > 0) {
        EXPECT_EQ(cost.rounds, (r - 1) * k) << n << " radix " << r;
        EXPECT_EQ(cost.volume, m * (r - 1) * k / r) << n << " radix " << r;
      }
      EXPECT_LE(cost.rounds, (r - 1) * log_ceiling(n, r)) << n << " radix " << r;
      EXPECT_LE(cost.volume, block * ((n + r - 1) / r) * (r - 1) * log_ceiling(n, r)) << n << " radix " << r;
      EXPECT_EQ(cost.total, n * cost.volume) << n << " radix " << r;
    }
    // "C1 = ceil(log n), C2 = (m log n) / 2", about.
    const Cost fewest = cost_with("index/radix", n, block, "radix", 2);
    EXPECT_EQ(fewest.rounds, log2_ceiling(n)) << n;
    EXPECT_LE(2 * fewest.volume, m * log2_ceiling(n)) << n;
    // "C1 = n - 1, C2 = m (n - 1) / n."
    for (const Cost& direct : {cost_with("index/radix", n, block, "radix", n), cost_of("index/pairwise", n, block)}) {
      EXPECT_EQ(direct.rounds, n - 1) << n;
      EXPECT_EQ(direct.volume, m * (n - 1) / n) << n;
      EXPECT_EQ(direct.total, n * (m * (n - 1) / n)) << n;
    }
  }
}

// Section 4.2: C1 = ceil(log n) + k; C3 = m n / 2^k (log n + 2^(k+1) - k - 2) for n a power of two.
TEST(Ccl, CombineTradesRoundsForTrafficByItsHybrid) {
  constexpr Count m = 5;
  for (Rank n = 1; n <= highest; ++n) {
    const Count q = log2_ceiling(n);
    for (Count k = 0; k <= q; ++k) {
      const Cost cost = cost_with("combine/hybrid", n, m, "k", k);
      EXPECT_EQ(cost.rounds, q + k) << n << " k " << k;
      if (!is_power_of_two(n)) continue;
      EXPECT_EQ(cost.total, m * (n >> k) * (q + (Count{2} << k) - k - 2)) << n << " k " << k;
      EXPECT_EQ(cost.volume, m * (q + k)) << n << " k " << k;
    }
    // "C1 = 2 ceil(log n) and C3 = O(m n) using a reduction tree followed by a broadcast tree": its end, for any n.
    const Cost trees = cost_with("combine/hybrid", n, m, "k", q);
    EXPECT_EQ(trees.rounds, 2 * q);
    EXPECT_EQ(trees.total, 2 * m * (n - 1)) << n;
    // "T = ceil(log n) (ts + m tc), which is optimal with respect to C1 (and also to C2 when m = 1)", section 4.3.
    const Cost census = cost_of("combine/census", n, m);
    EXPECT_EQ(census.rounds, q) << n;
    EXPECT_EQ(census.volume, q * m) << n;
    EXPECT_EQ(census.total, n * q * m) << n;
  }
}

// Section 4.2 again: C1 = ceil(log n) and C3 = O(m n log n) with a circulant pattern; without wrapping around, those
// that are 2^i from the end have nobody to send to in step i.
TEST(Ccl, PrefixByDoubling) {
  constexpr Count m = 4;
  for (Rank p = 1; p <= highest; ++p) {
    const Count q = log2_ceiling(p);
    const Cost cost = cost_of("prefix/doubling", p, m);
    EXPECT_EQ(cost.rounds, q) << p;
    EXPECT_EQ(cost.volume, q * m) << p;
    EXPECT_EQ(cost.total, m * (p * q - (Count{1} << q) + 1)) << p;
  }
}

// Section 4.2, m of all blocks together: C1 = ceil(log n) with C3 = (m log n) / 2, about and exactly at powers of two;
// or C1 = n - 1 with C3 = m (n - 1) / n. A root sends (receives) the others' blocks in any case.
TEST(Ccl, ScatterAndGatherTradeRoundsForTraffic) {
  constexpr Count block = 6;
  for (Rank n = 2; n <= highest; ++n) {
    const Count m = n * block;
    for (const std::string operation : {"scatter", "gather"}) {
      const Cost tree = cost_of(operation + "/binomial", n, block);
      EXPECT_EQ(tree.rounds, log2_ceiling(n)) << operation << n;
      EXPECT_EQ(tree.volume, m * (n - 1) / n) << operation << n;
      EXPECT_LE(2 * tree.total, m * log2_ceiling(n)) << operation << n;
      if (is_power_of_two(n)) {
        EXPECT_EQ(2 * tree.total, m * log2_ceiling(n)) << operation << n;
      }
      const Cost straight = cost_of(operation + "/linear", n, block);
      EXPECT_EQ(straight.rounds, n - 1) << operation << n;
      EXPECT_EQ(straight.total, m * (n - 1) / n) << operation << n;
    }
  }
}

// Section 3.1: a shift in one step of sending and receiving at once; by turns in two, or three on an odd cycle.
TEST(Ccl, ShiftWithAndWithoutSendReceive) {
  constexpr Count m = 9;
  for (Rank n = 2; n <= highest; ++n) {
    for (Count distance = 1; distance < n; ++distance) {
      Problem problem;
      problem.operation = Operation::shift;
      problem.ranks = n;
      problem.count = m;
      problem.distance = distance;
      Count cycle = 1;
      while (cycle * distance % n != 0) ++cycle;
      EXPECT_EQ(simulate(*find_algorithm("shift/exchange"), problem, Ports::duplex).cost.rounds, 1);
      EXPECT_EQ(simulate(*find_algorithm("shift/paired"), problem, Ports::duplex).cost.rounds, cycle % 2 == 0 ? 2 : 3)
          << n << " by " << distance;
    }
  }
}

// Broadcast of one item by recursive doubling, section 4.2; sync on the circulant graph, section 4.3.
TEST(Ccl, FewestRounds) {
  for (Rank n = 1; n <= highest; ++n) {
    const Count q = log2_ceiling(n);
    EXPECT_EQ(cost_of("bcast/binomial", n, 1), (Cost{q, q, n - 1, 0, n - 1})) << n;
    EXPECT_EQ(cost_of("sync/dissemination", n, 0).rounds, q) << n;
  }
}

}  // namespace
}  // namespace cohort
