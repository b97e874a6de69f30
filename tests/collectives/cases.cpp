#include "tests/collectives/cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <vector>

#include "collectives/verifier.hpp"

namespace cohort::tests {
namespace {

std::set<Count> sizes(const Algorithm& algorithm, Rank p) {
  std::set<Count> sizes{0, 1, p - 1, p, p + 1};
  if (!algorithm.parameter.empty()) sizes.insert(4 * p + 3);  // many more blocks than a pipeline has slots
  return sizes;
}

Blocks uneven(Rank p, Count factor) {
  std::vector<Count> counts;
  for (Rank rank = 0; rank < p; ++rank) counts.push_back((rank * factor + 1) % 4);
  return Blocks(counts);
}

Blocks all_at(Rank p, Rank owner) {
  std::vector<Count> counts(static_cast<std::size_t>(p));
  counts[static_cast<std::size_t>(owner)] = p;
  return Blocks(counts);
}

bool has_root(Operation operation) {
  return operation == Operation::bcast || operation == Operation::reduce || operation == Operation::scatter ||
         operation == Operation::gather;
}

bool has_blocks(Operation operation) {
  return operation == Operation::scatter || operation == Operation::gather || operation == Operation::concat ||
         operation == Operation::reduce_scatter;
}

bool has_in_place(Operation operation) {
  return operation == Operation::reduce || operation == Operation::combine || operation == Operation::prefix ||
         operation == Operation::exclusive_prefix || operation == Operation::concat;
}

// How many elements rank `from` sends to rank `to`, of three unlike patterns.
Count pair_size(int pattern, Rank from, Rank to) {
  if (pattern == 0) return (3 * from + 5 * to + from * to) % 4;
  if (pattern == 1) return from < to ? 2 : 0;
  return to == 0 ? from : 0;
}

std::vector<Problem> index_with_sizes(const Problem& base, int pattern) {
  std::vector<Problem> problems = same_for_all(base);
  for (Rank me = 0; me < base.ranks; ++me) {
    std::vector<Count> out;
    std::vector<Count> in;
    for (Rank other = 0; other < base.ranks; ++other) {
      out.push_back(pair_size(pattern, me, other));
      in.push_back(pair_size(pattern, other, me));
    }
    problems[static_cast<std::size_t>(me)].blocks = Blocks(out);
    problems[static_cast<std::size_t>(me)].receive_blocks = Blocks(in);
  }
  return problems;
}

class Cases {
 public:
  Cases(const Algorithm& algorithm, Rank p, const OnCase& on_case) : algorithm_(algorithm), p_(p), on_case_(on_case) {}

  bool roots(Problem problem) {
    const Rank roots = has_root(problem.operation) ? p_ : 1;
    for (problem.root = 0; problem.root < roots; ++problem.root) {
      if (!shapes(problem)) return false;
    }
    return true;
  }

 private:
  bool shapes(Problem problem) {
    for (const Count size : sizes(algorithm_, p_)) {
      problem.count = size;
      problem.blocks = problem.receive_blocks = Blocks(p_, size);
      if (!variants(problem)) return false;
    }
    if (algorithm_.needs.equal_blocks) return true;
    if (has_blocks(problem.operation)) {
      for (const Blocks& blocks : {uneven(p_, 5), uneven(p_, 6), all_at(p_, p_ - 1), all_at(p_, 0)}) {
        problem.blocks = blocks;
        if (!variants(problem)) return false;
      }
    }
    if (problem.operation == Operation::index) {
      for (int pattern = 0; pattern < 3; ++pattern) {
        if (!on_case_(index_with_sizes(problem, pattern))) return false;
      }
    }
    return true;
  }

  bool variants(Problem problem) {
    if (problem.operation == Operation::shift) return distances(problem);
    for (const bool in_place : {false, true}) {
      if (in_place && !has_in_place(problem.operation)) continue;
      problem.in_place = in_place;
      if (!parameters(problem)) return false;
    }
    return true;
  }

  bool distances(Problem problem) {
    static constexpr Count farthest = std::numeric_limits<Count>::max();
    for (const Count distance : std::set<Count>{0, 1, -1, p_ - 1, 1 - p_, p_, -p_, p_ + 1, -p_ - 1, 2 * p_ + 3,
                                                -2 * p_ - 3, farthest, -farthest, -farthest - 1}) {
      problem.distance = distance;
      for (const bool cyclic : {false, true}) {
        problem.cyclic = cyclic;
        if (!on_case_(same_for_all(problem))) return false;
      }
    }
    return true;
  }

  bool parameters(Problem problem) {
    if (algorithm_.parameter.empty()) return on_case_(same_for_all(problem));
    // Block counts are cut down to the number of elements; one or two are tried for each.
    for (const Count blocks : std::set<Count>{1, std::min<Count>(3, problem.count), problem.count}) {
      if (blocks == 0) continue;
      problem.parameters.set(std::string(algorithm_.parameter), blocks);
      if (!on_case_(same_for_all(problem))) return false;
    }
    return true;
  }

  const Algorithm& algorithm_;
  Rank p_;
  const OnCase& on_case_;
};

}  // namespace

bool for_each_case(const Algorithm& algorithm, Rank ranks, const OnCase& on_case) {
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = ranks;
  problem.commutative = algorithm.needs.commutative;
  return Cases(algorithm, ranks, on_case).roots(problem);
}

Rank highest_ranks(Rank usual) {
  if (const char* wanted = std::getenv("COHORT_TEST_RANKS")) return static_cast<Rank>(std::atoi(wanted));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return std::min(usual, 12);
#elif !defined(NDEBUG)
  return std::min(usual, 20);
#else
  return usual;
#endif
}

}  // namespace cohort::tests
