#include "collectives/selector/choices.hpp"

#include <algorithm>
#include <bit>

namespace cohort {
namespace {

// The nearest number of three binary digits and zeros.
Count rounded(Count bytes) {
  const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
  const int zeros = std::max(digits - 3, 0);
  const Count half = zeros > 0 ? Count{1} << (zeros - 1) : 0;
  return (bytes + half) >> zeros << zeros;
}

Rank class_of_root(const Problem& problem) {
  if (!has_root(problem.operation) || problem.root == 0) return 0;
  return problem.root == problem.ranks - 1 ? problem.root : problem.ranks / 2;
}

// One block is the largest, the others share the rest.
Blocks unequal_blocks(Rank ranks, Count largest, Count mean) {
  const Count rest = std::max<Count>(mean * ranks - largest, 0);
  std::vector<Count> counts(static_cast<std::size_t>(ranks), ranks > 1 ? rest / (ranks - 1) : 0);
  counts[static_cast<std::size_t>(ranks / 2)] = largest;
  return Blocks(counts);
}

}  // namespace

ProblemClass::ProblemClass(const Problem& problem)
    : operation(problem.operation),
      ranks(problem.ranks),
      root(class_of_root(problem)),
      bytes(has_vector(operation) ? rounded(problem.count * problem.element_bytes) : 0),
      largest_bytes(0),
      equal_blocks(problem.blocks.equal()),
      commutative(problem.commutative),
      mesh(problem.mesh),
      within_host(problem.within_host),
      network(problem.network) {
  // In an exchange of unequal blocks a rank knows its own sizes only.
  const bool sizes_are_known = operation != Operation::index || equal_blocks;
  if (has_vector(operation) || problem.blocks.size() == 0 || !sizes_are_known) return;
  largest_bytes = rounded(problem.blocks.largest() * problem.element_bytes);
  bytes = equal_blocks ? largest_bytes : rounded(problem.blocks.total() / ranks * problem.element_bytes);
}

Problem ProblemClass::representative() const {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  problem.root = root;
  problem.distance = 1;
  problem.commutative = commutative;
  problem.mesh = mesh;
  problem.within_host = within_host;
  problem.network = network;
  if (has_vector(operation)) {
    problem.count = bytes;
  } else {
    problem.blocks = equal_blocks ? Blocks(ranks, bytes) : unequal_blocks(ranks, largest_bytes, bytes);
    problem.receive_blocks = problem.blocks;
  }
  return problem;
}

const Choice& Choices::choose(const Problem& problem) {
  const ProblemClass like(problem);
  auto known = known_.find(like);
  if (known == known_.end()) known = known_.emplace(like, cohort::choose(like.representative())).first;
  return known->second;
}

}  // namespace cohort
