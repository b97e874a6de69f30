// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/choices.hpp"

#include <algorithm>
#include <bit>

namespace cohort {
namespace {

// The nearest number whose binary digits after the first three are zeros.
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

}  // namespace

bool sizes_count(const Problem& problem) {
  if (has_vector(problem.operation) || problem.blocks.equal() || !all_know_sizes(problem)) return false;
  const Network& network = problem.network;
  const auto bytes = static_cast<double>(problem.blocks.total() * problem.element_bytes);
  return bytes * (network.beta + network.shared_beta) >
         profiles::measured.short_data * (network.alpha + network.shared_alpha);
}

ProblemClass::ProblemClass(const Problem& problem)
    : operation(problem.operation),
      ranks(problem.ranks),
      root(class_of_root(problem)),
      bytes(has_vector(operation) ? rounded(problem.count * problem.element_bytes) : 0),
      sizes_are_known(all_know_sizes(problem)),
      commutative(problem.commutative),
      mesh(problem.mesh),
      within_host(problem.within_host),
      network(problem.network) {
  if (has_vector(operation) || problem.blocks.size() == 0 || !sizes_are_known) return;
  bytes = rounded(problem.blocks.total() / ranks * problem.element_bytes);
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
    problem.blocks =
        sizes_are_known ? Blocks(ranks, bytes) : Blocks(std::vector<Count>(static_cast<std::size_t>(ranks)));
    problem.receive_blocks = problem.blocks;
  }
  return problem;
}

Choice Choices::choose(const Problem& problem) {
  if (sizes_count(problem)) return cohort::choose(problem);
  const ProblemClass like(problem);
  auto known = known_.find(like);
  if (known == known_.end()) known = known_.emplace(like, cohort::choose(like.representative())).first;
  return known->second;
}

}  // namespace cohort
