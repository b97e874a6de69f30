// SPDX-License-Identifier: Apache-2.0
#include "collectives/problem.hpp"

#include <algorithm>

namespace cohort {

Blocks::Blocks(const std::vector<Count>& counts) : ranks_(static_cast<Rank>(counts.size())) {
  offsets_.reserve(counts.size() + 1);
  offsets_.push_back(0);
  for (const Count count : counts) offsets_.push_back(offsets_.back() + count);
}

Blocks Blocks::split(Rank parts, Count total) {
  Blocks blocks(parts, total / parts);
  blocks.longer_ = total % parts;
  return blocks;
}

Count Blocks::largest() const {
  if (ranks_ == 0) return 0;
  if (offsets_.empty()) return count(0);
  Count most = 0;
  for (Rank rank = 0; rank < ranks_; ++rank) most = std::max(most, count(rank));
  return most;
}

bool Blocks::any_empty() const {
  if (offsets_.empty()) return ranks_ > 0 && each_ == 0;
  for (Rank rank = 0; rank < ranks_; ++rank) {
    if (count(rank) == 0) return true;
  }
  return false;
}

Segment Blocks::range(const Segment& vector, Rank first, Rank last) const {
  Segment range = this->range(vector.buffer, first, last);
  range.offset += vector.offset;
  return range;
}

void Parameters::set(const std::string& name, Count value) {
  for (auto& [known, stored] : list_) {
    if (known == name) {
      stored = value;
      return;
    }
  }
  list_.emplace_back(name, value);
}

Count Parameters::get(const std::string& name, Count otherwise) const {
  for (const auto& [known, value] : list_) {
    if (known == name) return value;
  }
  return otherwise;
}

Rank ranks_per_host(const Problem& problem) {
  return problem.within_host && !problem.mesh.empty() ? problem.mesh.back() : 1;
}

Network network_within_host(const Problem& problem) {
  Network network = problem.within_host.value_or(problem.network);
  network.alpha = std::max(network.alpha, ranks_per_host(problem) * network.shared_alpha);
  network.beta = std::max(network.beta, ranks_per_host(problem) * network.shared_beta);
  return network;
}

std::string mesh_name(const std::vector<Rank>& sides) {
  std::string text;
  for (const Rank side : sides) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text;
}

bool reduces(Operation operation) {
  switch (operation) {
    case Operation::reduce:
    case Operation::combine:
    case Operation::reduce_scatter:
    case Operation::prefix:
    case Operation::exclusive_prefix:
      return true;
    default:
      return false;
  }
}

bool has_vector(Operation operation) {
  return operation == Operation::bcast || operation == Operation::shift ||
         (reduces(operation) && operation != Operation::reduce_scatter);
}

Problem in_blocks(Problem problem) {
  problem.blocks = Blocks::split(problem.ranks, problem.count);
  return problem;
}

bool has_root(Operation operation) {
  return operation == Operation::bcast || operation == Operation::reduce || operation == Operation::scatter ||
         operation == Operation::gather;
}

Buffer operand_buffer(const Problem& problem, Rank me) {
  // In a reduction to one, only the root has an output that could hold its operand.
  const bool has_output = problem.operation != Operation::reduce || me == problem.root;
  return problem.in_place && has_output ? Buffer::output : Buffer::input;
}

void add_own_block(Schedule& schedule, const Problem& problem, Rank me) {
  if (problem.in_place) return;
  schedule.add_round().copy(problem.blocks.block(Buffer::output, me), {Buffer::input, 0, problem.blocks.count(me)});
}

Schedule alone(const Problem& problem) {
  Schedule schedule;
  if (!problem.in_place) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
  return schedule;
}

}  // namespace cohort
