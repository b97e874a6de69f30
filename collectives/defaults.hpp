// What algorithms and the choice between them assume of a network until it has been measured: a cluster on 100 Mbit/s
// Ethernet. Times are in the linear model: a message of n bytes takes alpha + beta n.
#pragma once

#include <algorithm>
#include <cmath>

#include "collectives/problem.hpp"

namespace cohort::defaults {

inline constexpr double alpha_seconds = 50e-6;
inline constexpr double beta_seconds_per_byte = 1 / 12.5e6;
inline constexpr Count smallest_block_bytes = 8192;

// In how many blocks to cut a vector that passes through a pipeline whose first block meets `delay` further rounds
// before it has arrived everywhere: the n that minimises (n + delay) (alpha + beta m / n), with blocks that are not too
// small. The parameter "blocks" overrides it.
inline Rank pipeline_blocks(const Problem& problem, Count delay) {
  const auto most = std::clamp<Count>(problem.count, 1, 1 << 30);
  const Count wished = problem.parameters.get("blocks", 0);
  if (wished > 0) return static_cast<Rank>(std::min(wished, most));
  const Count bytes = problem.count * problem.element_bytes;
  const double best = std::sqrt(static_cast<double>(std::max<Count>(delay, 0)) * beta_seconds_per_byte *
                                static_cast<double>(bytes) / alpha_seconds);
  const Count blocks = std::min(static_cast<Count>(best), bytes / smallest_block_bytes);
  return static_cast<Rank>(std::clamp<Count>(blocks, 1, most));
}

}  // namespace cohort::defaults
