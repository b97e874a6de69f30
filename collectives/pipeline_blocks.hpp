// In how many blocks a pipeline cuts its vector.
#pragma once

#include <algorithm>
#include <cmath>

#include "collectives/problem.hpp"

namespace cohort {

// So many bytes fill the usual Ethernet's packets well; smaller blocks cost more than they hide.
inline constexpr Count smallest_block_bytes = 8192;

// The blocks n, of nearly equal length, for a pipeline that takes (n + delay) messages of one block, one after the
// other: the n that minimises (n + delay) (alpha + beta m / n), with blocks that are not too small. The parameter
// "blocks" overrides it.
inline Rank pipeline_blocks(const Problem& problem, Count delay) {
  const auto most = std::clamp<Count>(problem.count, 1, 1 << 30);
  const Count wished = problem.parameters.get("blocks", 0);
  if (wished > 0) return static_cast<Rank>(std::min(wished, most));
  const Network& network = problem.network;
  const double per_byte = network.beta + (reduces(problem.operation) ? network.gamma : 0);
  const Count bytes = problem.count * problem.element_bytes;
  const double best =
      std::sqrt(static_cast<double>(std::max<Count>(delay, 0)) * per_byte * static_cast<double>(bytes) / network.alpha);
  // In this order, so that with alpha = 0 the blocks are as small as they may be.
  const double blocks = std::min(static_cast<double>(bytes / smallest_block_bytes), best);
  return static_cast<Rank>(std::clamp<Count>(static_cast<Count>(blocks), 1, most));
}

}  // namespace cohort
