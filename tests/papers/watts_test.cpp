// SPDX-License-Identifier: Apache-2.0
// The running times of Watts 1994 ("Building efficient collective communication libraries on multidimensional meshes
// with wormhole routing") against what the schedules take in the simulation.
//
// The simulation is the linear model without contention: a message takes alpha + n beta wherever it goes, and links
// have no limit of their own. So his max(beta_node, c beta_net), for c messages that share a link, is beta here; and
// data need no rearrangement, so his delta is 0. What his meshes order to avoid conflicts costs nothing here, and gains
// nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "collectives/patterns/dimension_pipeline.hpp"
#include "collectives/patterns/mesh.hpp"
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/peers.hpp"
#include "collectives/simulator.hpp"
#include "collectives/verifier.hpp"

namespace cohort {
namespace {

constexpr double alpha = 600;
constexpr double beta = 2;
constexpr double gamma_ = 0.5;

const std::vector<std::vector<Rank>> meshes{{4, 4}, {4, 6}, {3, 5, 7}, {1, 17}};

Rank ranks_of(const std::vector<Rank>& sides) { return Mesh(sides).size(); }

// A vector of n elements, or blocks of n / p.
Problem problem_on(const std::vector<Rank>& sides, Count n) {
  Problem problem;
  problem.ranks = ranks_of(sides);
  problem.mesh = sides;
  problem.count = n;
  problem.blocks = problem.receive_blocks = Blocks(problem.ranks, n / problem.ranks);
  problem.network = {alpha, beta, gamma_, 0};
  return problem;
}

// "concat/mesh_rings", with its parameters if there are any.
double simulated(const std::string& name, Problem problem) {
  const Choice choice = parse_choice(name);
  problem.operation = choice.algorithm->operation;
  problem.parameters = choice.parameters;
  return simulate(*choice.algorithm, problem, Ports::duplex).seconds;
}

double priced(const std::string& name, Problem problem) {
  const Choice choice = parse_choice(name);
  problem.operation = choice.algorithm->operation;
  problem.parameters = choice.parameters;
  return seconds(choice.algorithm->costs(problem), problem);
}

std::vector<Rank> sides_of(const Mesh& mesh) {
  std::vector<Rank> sides;
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension) sides.push_back(mesh.side(dimension));
  return sides;
}

std::vector<Rank> prime_factors(Rank p) { return sides_of(prime_mesh(p)); }

// Section 8: the sum over the rings of (f - 1) (alpha + n beta / (the product of the rings not yet collected over)).
double collect_time(const std::vector<Rank>& rings, double n, double per_element) {
  double left = 1;
  for (const Rank f : rings) left *= f;
  double time = 0;
  for (const Rank f : rings) {
    time += (f - 1) * (alpha + n * per_element / left);
    left /= f;
  }
  return time;
}

double log2_ceiling(double p) { return ceil_log2(static_cast<Rank>(p)); }

void expect_time(double actual, double expected, const std::string& what) {
  EXPECT_NEAR(actual, expected, 1e-9 * expected) << what;
}

class Watts : public testing::TestWithParam<std::vector<Rank>> {
 protected:
  std::vector<Rank> sides_ = GetParam();
  Rank p_ = ranks_of(sides_);
  Count n_ = Count{240} * p_;
  double bytes_ = static_cast<double>(n_);
  double others_ = static_cast<double>(p_ - 1) / p_;
  double q_ = log2_ceiling(p_);
  Problem problem_ = problem_on(sides_, n_);
};

TEST_P(Watts, SpanningTrees) {
  // Section 7. Exact also where p is no power of two: with rank 0 for root the root's side is never the smaller.
  const double scatter = q_ * alpha + others_ * bytes_ * beta;
  expect_time(simulated("scatter/recursive_split", problem_), scatter, "scatter");
  expect_time(simulated("gather/recursive_split", problem_), scatter, "gather");
  // Equal blocks are cut in the middle by their sizes too.
  expect_time(simulated("scatter/weighted_split", problem_), scatter, "weighted scatter");
  // Sections 9 and 11.
  expect_time(simulated("bcast/binomial", problem_), q_ * (alpha + bytes_ * beta), "broadcast");
  expect_time(simulated("reduce/recursive_split", problem_), q_ * (alpha + bytes_ * (beta + gamma_)), "reduction");
}

TEST_P(Watts, CollectAndDistributedReduction) {
  const std::vector<Rank> factors = prime_factors(p_);
  expect_time(simulated("concat/prime_rings", problem_), collect_time(factors, bytes_, beta), "PFR collect");
  expect_time(simulated("concat/mesh_rings", problem_), collect_time(sides_, bytes_, beta), "DR collect");
  expect_time(simulated("reduce_scatter/prime_rings", problem_), collect_time(factors, bytes_, beta + gamma_),
              "PFR distributed reduction");
  expect_time(simulated("reduce_scatter/mesh_rings", problem_), collect_time(sides_, bytes_, beta + gamma_),
              "DR distributed reduction");
  // The volumes add up to (p - 1) / p n over whatever rings; the start-ups alone tell the rings apart.
  expect_time(collect_time(factors, bytes_, beta),
              static_cast<double>(prime_mesh(p_).hops()) * alpha + others_ * bytes_ * beta, "sum of volumes");
}

// Section 8, PFR-DR: the first dimension in its prime factors, the others in one ring each.
TEST_P(Watts, PartlyFactoredCollect) {
  Mesh mesh(sides_);
  std::vector<Rank> rings = prime_factors(mesh.side(0));
  for (const Rank side : sides_of(mesh.after(1))) rings.push_back(side);
  const Problem problem = problem_on(rings, n_);
  expect_time(simulated("concat/mesh_rings", problem), collect_time(rings, bytes_, beta), "PFR-DR collect");
  expect_time(simulated("reduce_scatter/mesh_rings", problem), collect_time(rings, bytes_, beta + gamma_),
              "PFR-DR distributed reduction");
  EXPECT_LE(simulated("concat/mesh_rings", problem), simulated("concat/mesh_rings", problem_));
}

TEST_P(Watts, ReductionToAll) {
  const std::vector<Rank> factors = prime_factors(p_);
  const double hops = static_cast<double>(prime_mesh(p_).hops());
  // Section 12. Combining in rank order, which the paper does not ask for, costs a combination more in each ring of
  // three or more.
  double longer_rings = 0;
  for (const Rank f : factors) longer_rings += f > 2 ? 1 : 0;
  expect_time(simulated("combine/prime_rings", problem_), hops * (alpha + bytes_ * (beta + gamma_)), "PFR");
  Problem ordered = problem_;
  ordered.commutative = false;
  expect_time(simulated("combine/prime_rings", ordered),
              hops * (alpha + bytes_ * (beta + gamma_)) + longer_rings * bytes_ * gamma_, "PFR in order");

  const double buckets = 2 * static_cast<double>(Mesh(sides_).hops()) * alpha + others_ * bytes_ * (2 * beta + gamma_);
  expect_time(simulated("combine/mesh_rings", problem_), buckets, "DR-DC");
  const double divided = 2 * hops * alpha + others_ * bytes_ * (2 * beta + gamma_);
  expect_time(simulated("combine/prime_rings_divided:divided=31", problem_), divided, "PFR-DC");
}

// Section 12, PFR-PFR-DC: divided over some rings, whole over the others.
TEST_P(Watts, PartlyDividedReductionToAll) {
  const Mesh mesh = prime_mesh(p_);
  double best = 0;
  for (int divided = 0; divided <= mesh.dimensions(); ++divided) {
    const Mesh whole = mesh.first(mesh.dimensions() - divided);
    const std::vector<Rank> rings = sides_of(mesh.after(mesh.dimensions() - divided));
    const double piece = bytes_ * whole.size() / p_;
    const double time = collect_time(rings, bytes_, beta + gamma_) + collect_time(rings, bytes_, beta) +
                        static_cast<double>(whole.hops()) * (alpha + piece * (beta + gamma_));
    expect_time(simulated("combine/prime_rings_divided:divided=" + std::to_string(divided), problem_), time,
                "PFR-PFR-DC over " + std::to_string(divided));
    best = divided == 0 ? time : std::min(best, time);
  }
  expect_time(simulated("combine/prime_rings_divided", problem_), best, "as the closed form divides");
}

TEST_P(Watts, BroadcastByScatterAndCollect) {
  // Section 9, SC and MST-SC. Watts scatters in one dimension after the other, with ceil(log2 m_i) start-ups in each.
  // The ranks of a part are a range, so one tree serves for all its dimensions, with ceil(log2 of the product): never
  // more. His printed sum also counts the scatter's volume once for every start-up: (ceil(log2 m) + m - 1) (alpha + 2
  // ...) can't be; his own T_SC has 2 (p - 1) / p n beta in all, which is what we count.
  const Mesh mesh(sides_);
  for (int scattered = 0; scattered <= mesh.dimensions(); ++scattered) {
    const Mesh part = mesh.after(mesh.dimensions() - scattered);
    const double ranks = part.size();
    double his_startups = 0;
    for (const Rank side : sides_of(part)) his_startups += log2_ceiling(side);
    EXPECT_LE(log2_ceiling(ranks), his_startups);
    const double time = (log2_ceiling(ranks) + static_cast<double>(part.hops())) * alpha +
                        2 * (ranks - 1) / ranks * bytes_ * beta +
                        log2_ceiling(p_ / ranks) * (alpha + bytes_ / ranks * beta);
    expect_time(simulated("bcast/mesh_scatter_collect:scattered=" + std::to_string(scattered), problem_), time,
                "MST-SC over " + std::to_string(scattered));
    EXPECT_LE(simulated("bcast/mesh_scatter_collect", problem_), time * (1 + 1e-9));
  }
}

TEST_P(Watts, ReductionByDistributionAndGather) {
  // Section 11, DG: the volumes as printed; with the circulant graph for his rings no more than 2 ceil(log2 p)
  // start-ups, where he has the sum over the dimensions of ceil(log2 m_i) + m_i - 1.
  double his_startups = 0;
  for (const Rank side : sides_) his_startups += log2_ceiling(side) + side - 1;
  EXPECT_LE(2 * q_, his_startups + 1e-9);
  expect_time(simulated("reduce/distribute_gather", problem_), 2 * q_ * alpha + others_ * bytes_ * (2 * beta + gamma_),
              "DG");
  // Section 8, for numbers of ranks with large factors: gather, then broadcast.
  expect_time(simulated("concat/gather_bcast:blocks=1", problem_), 2 * q_ * alpha + (others_ + q_) * bytes_ * beta,
              "MST collect");
}

TEST_P(Watts, Exchange) {
  // Section 13, where n is the length of all vectors of all ranks: bytes_ is n / p. The sum that is printed for the
  // rings has n / 2p for each message, for blocks that travel from neighbour to neighbour. Sent straight to their
  // ring's rank, as costs nothing without contention, they are m / side: the same for sides of two.
  double ours = 0;
  double printed = 0;
  for (const Rank side : sides_) {
    ours += (side - 1) * (alpha + bytes_ / side * beta);
    printed += (side - 1) * (alpha + bytes_ / 2 * beta);
  }
  expect_time(simulated("index/mesh_exchange", problem_), ours, "exchange");
  EXPECT_LE(ours, printed);
  double primes = 0;
  for (const Rank f : prime_factors(p_)) primes += (f - 1) * (alpha + bytes_ / f * beta);
  expect_time(simulated("index/prime_rings", problem_), primes, "PFR exchange");
  const double direct = (p_ - 1) * alpha + others_ * bytes_ * beta;
  expect_time(simulated("index/pairwise", problem_), direct, "direct");
  // "At least a factor of two better" for very long vectors: true against his rings, not ours.
  double printed_volume = 0;
  for (const Rank side : sides_) printed_volume += (side - 1) / 2.0;
  EXPECT_GE(printed_volume, 2 * others_);
}

// Section 9, DOPL, where it is misprinted. The k_i that is given there, sqrt((m_i - 2) n beta / (k_alt alpha)), is the
// best for steps of (m_i - 1) + (k_i - 1) messages, so the factor before the bracket must stand before k_i - 1 as well:
// every step fills its pipeline and empties it. And no time is added for the wraparound messages of k_alt - 1 pieces:
// cut like the others, they go while tails have nothing else to send and heads nothing else to receive.
double pipeline_time(const std::vector<Rank>& sides, const DimensionPieces& cut, double n, double per_element) {
  const auto d = static_cast<int>(cut.inner.size());
  double time = 0;
  for (int i = 0; i < d; ++i) {
    const double inner = cut.inner[static_cast<std::size_t>(i)];
    const double steps = std::ceil((cut.pieces + d - 1.0 - i) / d);
    const double side = sides[static_cast<std::size_t>(i)];
    time += steps * ((side - 1) + (inner - 1)) * (alpha + n * per_element / (cut.pieces * inner));
  }
  return time;
}

TEST_P(Watts, DimensionOrderPipeline) {
  const Mesh mesh(sides_);
  const std::vector<Rank> sides = sides_of(mesh);
  for (const Rank pieces : {1, 2, 4, 8}) {
    if (mesh.dimensions() == 1 && pieces > 1) continue;
    for (const Rank inner : {1, 2, 5}) {
      const std::string parameters = "pieces=" + std::to_string(pieces) + ",blocks=" + std::to_string(pieces * inner);
      const DimensionPieces cut{pieces, std::vector<Rank>(sides.size(), inner)};
      const std::string bcast = "bcast/dimension_pipeline:" + parameters;
      const std::string reduce = "reduce/dimension_pipeline:" + parameters;
      const double down = pipeline_time(sides, cut, bytes_, beta);
      const double up = pipeline_time(sides, cut, bytes_, beta + gamma_);
      const double slack = 1 + 1e-9;
      // In the closed form all wait for each round; in the simulation ranks do not, and steps overlap but on a line.
      expect_time(priced(bcast, problem_), down, bcast);
      expect_time(priced(reduce, problem_), up, reduce);
      EXPECT_LE(simulated(bcast, problem_), down * slack) << bcast;
      EXPECT_LE(simulated(reduce, problem_), up * slack) << reduce;
      if (mesh.dimensions() == 1) expect_time(simulated(bcast, problem_), down, "linear pipeline");
    }
  }
}

TEST(WattsPipeline, TheGivenPiecesAreTheBestForItsSteps) {
  for (const double side : {3, 4, 7, 17, 100}) {
    for (const double piece_bytes : {1e4, 1e5, 1e6}) {
      const auto step = [&](double k) { return (side - 1 + k - 1) * (alpha + piece_bytes * beta / k); };
      const double given = std::sqrt((side - 2) * piece_bytes * beta / alpha);
      for (int k = 1; k < 20 * given; ++k) EXPECT_LE(step(given), step(k) * (1 + 1e-9));
    }
  }
}

// Section 7, blocks of unlike sizes, with numbers of bytes that are large or small beside alpha / beta = 300.
struct Skew {
  std::string name;
  std::vector<Count> blocks;
};

std::vector<Skew> skews(Rank p, Count scale) {
  const auto ranks = static_cast<std::size_t>(p);
  std::vector<Skew> all{{"all at the last", std::vector<Count>(ranks, 0)},
                        {"half in the middle", std::vector<Count>(ranks, scale)},
                        {"rising", {}},
                        {"halving", {}},
                        {"every third", {}}};
  all[0].blocks.back() = p * scale;
  all[1].blocks[ranks / 2] = p * scale;
  for (Rank rank = 0; rank < p; ++rank) {
    all[2].blocks.push_back(scale * rank);
    all[3].blocks.push_back(p * scale >> std::min(rank, 40));
    all[4].blocks.push_back(rank % 3 == 1 ? 3 * scale : 0);
  }
  return all;
}

Problem scatter_of(const std::vector<Rank>& sides, Rank root, const std::vector<Count>& blocks) {
  Problem problem = problem_on(sides, 0);
  problem.root = root;
  problem.blocks = Blocks(blocks);
  return problem;
}

TEST_P(Watts, CutsByTheBlocksWinWhereBlocksAreSkewedAndLarge) {
  for (const Rank root : {0, p_ / 2, p_ - 1}) {
    for (const Skew& skew : skews(p_, 10'000)) {
      const Problem problem = scatter_of(sides_, root, skew.blocks);
      for (const std::string operation : {"scatter", "gather"}) {
        const double halves = simulated(operation + "/recursive_split", problem);
        const double cut = simulated(operation + "/weighted_split", problem);
        EXPECT_LE(cut, halves * (1 + 1e-9)) << operation << ", " << skew.name << ", root " << root;
      }
      // The pathological case of the paper: one message instead of the whole vector in almost every round.
      if (skew.name == "all at the last" && root != p_ - 1) {
        const double once = alpha + beta * static_cast<double>(problem.blocks.total());
        expect_time(simulated("scatter/weighted_split", problem), once, skew.name);
        EXPECT_GT(simulated("scatter/recursive_split", problem), 2.9 * once);
      }
      if (skew.name == "rising" && root == 0) {
        const double cut = simulated("scatter/weighted_split", problem);
        EXPECT_GT(simulated("scatter/recursive_split", problem), 1.5 * cut);
      }
    }
  }
}

// "If the imbalance drops below alpha / beta bytes": then it is the same tree.
TEST_P(Watts, TheMiddleIsTakenForLittleData) {
  for (const Rank root : {0, p_ / 2, p_ - 1}) {
    std::vector<Count> blocks;
    for (Rank rank = 0; rank < p_; ++rank) blocks.push_back(rank % 3);
    const Problem problem = scatter_of(sides_, root, blocks);
    expect_time(simulated("scatter/weighted_split", problem), simulated("scatter/recursive_split", problem), "little");
  }
}

// "The root node is the last to finish sending": without start-ups the time is that of all data the root has to send.
TEST(WattsScatter, TakesTheMiddleWhereElementsCostNothing) {
  Problem problem;
  problem.blocks = Blocks(std::vector<Count>{1000, 1000, 1000, 1, 1, 1, 1, 1});
  for (const double free : {0.0, 1e-300}) {
    problem.network.beta = free;
    EXPECT_EQ(SplitRule::by_blocks(problem).split(0, 8, 0), 4);
  }
  problem.network.alpha = 0;
  problem.network.beta = 1;
  EXPECT_NE(SplitRule::by_blocks(problem).split(0, 8, 0), 4);
}

TEST_P(Watts, TheRootFinishesLast) {
  for (Rank root = 0; root < p_; ++root) {
    for (const Skew& skew : skews(p_, 100)) {
      Problem problem = scatter_of(sides_, root, skew.blocks);
      problem.network.alpha = 0;
      const Count sent = problem.blocks.total() - problem.blocks.count(root);
      const double least = beta * static_cast<double>(sent);
      EXPECT_NEAR(simulated("scatter/weighted_split", problem), least, 1e-9 * least) << skew.name << ", root " << root;
    }
  }
}

// The cases of the registry are too small for cuts that are not in the middle, on the network that they assume.
TEST(WattsScatter, CutsByTheBlocksAreRight) {
  Verifier verifier;
  std::uint64_t seed = 0;
  for (Rank p = 1; p <= 20; ++p) {
    for (Rank root = 0; root < p; ++root) {
      for (const Skew& skew : skews(p, 2)) {
        for (const char* name : {"scatter/weighted_split", "gather/weighted_split"}) {
          const Algorithm& algorithm = *find_algorithm(name);
          Problem problem = scatter_of({p}, root, skew.blocks);
          problem.operation = algorithm.operation;
          problem.network.alpha = 0;
          const auto counterexample =
              verifier.check(name, algorithm.schedule, same_for_all(problem), every_delivery, ++seed);
          ASSERT_FALSE(counterexample) << *counterexample;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Watts, testing::ValuesIn(meshes), [](const auto& info) {
  std::string name = "Mesh";
  for (const Rank side : info.param) name += "_" + std::to_string(side);
  return name;
});

}  // namespace
}  // namespace cohort
