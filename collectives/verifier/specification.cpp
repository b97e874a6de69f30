// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/specification.hpp"

#include <algorithm>
#include <ranges>

namespace cohort::verifier {
namespace {

// The rank whose block holds this element of the vector; `before` owns the element before it, or any.
Rank owner(const Blocks& blocks, Count element, Rank before) {
  if (blocks.offset(before) <= element && element < blocks.offset(before + 1)) return before;
  const auto ends_before = [&](Rank rank) { return blocks.offset(rank + 1) <= element; };
  return *std::ranges::partition_point(std::views::iota(Rank{0}, blocks.size()), ends_before);
}

Origin copy_of(Rank rank, Count element) { return {rank, rank + 1, element}; }

Origin shifted(const Problem& problem, Rank rank, Count element) {
  for (Rank from = 0; from < problem.ranks; ++from) {
    const Count wanted = Count{rank} - from;  // the distance from that rank to this one
    const bool arrives =
        problem.cyclic ? (problem.distance % problem.ranks - wanted) % problem.ranks == 0 : problem.distance == wanted;
    if (arrives) return copy_of(from, element);
  }
  return {};
}

}  // namespace

Segment Specification::operand(Rank rank) const {
  const Problem& p = problem(rank);
  const bool is_root = rank == p.root;
  switch (p.operation) {
    case Operation::bcast:
      return {Buffer::output, 0, is_root ? p.count : 0};
    case Operation::reduce:
      return {p.in_place && is_root ? Buffer::output : Buffer::input, 0, p.count};
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
      return {p.in_place ? Buffer::output : Buffer::input, 0, p.count};
    case Operation::scatter:
      return {Buffer::input, 0, is_root ? p.blocks.total() : 0};
    case Operation::gather:
      return {Buffer::input, 0, p.blocks.count(rank)};
    case Operation::concat:
      if (p.in_place) return p.blocks.block(Buffer::output, rank);
      return {Buffer::input, 0, p.blocks.count(rank)};
    case Operation::index:
    case Operation::reduce_scatter:
      return {Buffer::input, 0, p.blocks.total()};
    case Operation::shift:
      return {Buffer::input, 0, p.count};
    default:
      return {};
  }
}

Count Specification::output_size(Rank rank) const {
  const Problem& p = problem(rank);
  const bool is_root = rank == p.root;
  switch (p.operation) {
    case Operation::bcast:
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
    case Operation::shift:
      return p.count;
    case Operation::reduce:
      return is_root ? p.count : 0;
    case Operation::scatter:
    case Operation::reduce_scatter:
      return p.blocks.count(rank);
    case Operation::gather:
      return is_root ? p.blocks.total() : 0;
    case Operation::concat:
      return p.blocks.total();
    case Operation::index:
      return p.receive_blocks.total();
    default:
      return 0;
  }
}

Origin Specification::origin(Rank rank, Count element, const Origin& before) const {
  const Problem& p = problem(rank);
  switch (p.operation) {
    case Operation::bcast:
      return copy_of(p.root, element);
    case Operation::reduce:
    case Operation::combine:
      return {0, p.ranks, element};
    case Operation::prefix:
      return {0, rank + 1, element};
    case Operation::exclusive_prefix:
      return {0, rank, element};
    case Operation::scatter:
      return copy_of(p.root, p.blocks.offset(rank) + element);
    case Operation::gather:
    case Operation::concat: {
      const Rank from = owner(p.blocks, element, before.first);
      return copy_of(from, element - p.blocks.offset(from));
    }
    case Operation::index: {
      const Rank from = owner(p.receive_blocks, element, before.first);
      return copy_of(from, problem(from).blocks.offset(rank) + element - p.receive_blocks.offset(from));
    }
    case Operation::reduce_scatter:
      return {0, p.ranks, p.blocks.offset(rank) + element};
    case Operation::shift:
      return shifted(p, rank, element);
    default:
      return {};
  }
}

}  // namespace cohort::verifier
