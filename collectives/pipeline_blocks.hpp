// In how many blocks a pipeline cuts its vector.
#pragma once

#include <algorithm>
#include <cmath>

#include "collectives/problem.hpp"

namespace cohort {

// So many bytes fill the usual Ethernet's packets well; smaller blocks cost more than they hide.
inline constexpr Count smallest_block_bytes = 8192;

// No block is to be empty, and an index must fit.
inline Rank at_most_one_each(Count blocks, Count elements) {
  return static_cast<Rank>(std::clamp<Count>(blocks, 1, std::clamp<Count>(elements, 1, 1 << 30)));
}

// The blocks n, of nearly equal length, in which so many of the problem's elements take a pipeline of (n + delay)
// messages of one block, one after the other: the n that minimises (n + delay) (alpha + beta m / n), with blocks that
// are not too small.
inline Rank fastest_blocks(const Problem& problem, Count elements, Count delay) {
  if (delay <= 0) return 1;
  const Network& network = problem.network;
  const double per_byte = network.beta + (reduces(problem.operation) ? network.gamma : 0);
  const Count bytes = elements * problem.element_bytes;
  const double best = std::sqrt(static_cast<double>(delay) * per_byte * static_cast<double>(bytes) / network.alpha);
  // In this order: with alpha = 0 the best is infinite, or no number, and the blocks are as small as they may be.
  const Count most = bytes / smallest_block_bytes;
  const double blocks = std::min(static_cast<double>(most), best);
  return at_most_one_each(static_cast<Count>(blocks), elements);
}

// The same for the whole vector, unless the parameter "blocks" says how many.
inline Rank pipeline_blocks(const Problem& problem, Count delay) {
  const Count wished = problem.parameters.get("blocks", 0);
  return wished > 0 ? at_most_one_each(wished, problem.count) : fastest_blocks(problem, problem.count, delay);
}

}  // namespace cohort
