// SPDX-License-Identifier: Apache-2.0
// The number of blocks that a pipeline cuts its vector into.
#pragma once

#include <algorithm>
#include <cmath>

#include "collectives/problem.hpp"

namespace cohort {

// Bytes. Such a block fills the usual Ethernet packets well; smaller blocks cost more time than they hide.
inline constexpr Count smallest_block_bytes = 8192;

// Linux lets a socket put about 1 ms of its rate into an interface's queue. Longer blocks that a rank sends to several
// others take turns on its link, so all of them arrive late: bcast/circulant of 16 MiB on 16 hosts of 100 Mbit/s takes
// 1.45 s with blocks of up to 14 KiB, 1.55 s with longer ones (docs/decisions/losses.md).
inline constexpr double longest_block_s = 0.8e-3;
inline constexpr double short_start = 0.05;  // part of a block's time; with shorter starts, shorter blocks cost next to
                                             // nothing (docs/decisions/losses.md)

// The number of blocks, limited so that no block is empty and an index fits into a Rank.
inline Rank at_most_one_each(Count blocks, Count elements) {
  return static_cast<Rank>(std::clamp<Count>(blocks, 1, std::clamp<Count>(elements, 1, 1 << 30)));
}

// The number n of blocks of nearly equal length for which a pipeline of (n + delay) messages, one after the other, is
// the fastest. It minimises (n + delay) (alpha + beta m / n), with blocks that are neither too small nor too long.
inline Rank fastest_blocks(const Problem& problem, Count elements, Count delay) {
  if (delay <= 0) return 1;
  const Network& network = problem.network;
  const double per_byte = network.beta + (reduces(problem.operation) ? network.gamma : 0);
  const Count bytes = elements * problem.element_bytes;
  const double best = std::sqrt(static_cast<double>(delay) * per_byte * static_cast<double>(bytes) / network.alpha);
  const bool starts_are_short = network.alpha < short_start * longest_block_s;
  const double least = starts_are_short ? per_byte * static_cast<double>(bytes) / longest_block_s : 1;
  // The order of the arguments matters: with alpha = 0, `best` is infinite or no number, and blocks become as small as
  // allowed.
  const Count most = bytes / smallest_block_bytes;
  const double blocks = std::min(static_cast<double>(most), std::max(least, best));
  return at_most_one_each(static_cast<Count>(blocks), elements);
}

// The number of blocks for the whole vector: the parameter "blocks", or the fastest number.
inline Rank pipeline_blocks(const Problem& problem, Count delay) {
  const Count wished = problem.parameters.get("blocks", 0);
  return wished > 0 ? at_most_one_each(wished, problem.count) : fastest_blocks(problem, problem.count, delay);
}

}  // namespace cohort
