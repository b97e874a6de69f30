// SPDX-License-Identifier: Apache-2.0
// The circulant graph, on which many algorithms communicate, and the block that passes along each of its edges in a
// round-optimal broadcast.
//
// Ranks are positions modulo p. In round k a rank sends to the rank skip(k) after it. The skips halve: skip(q) = p,
// skip(k) = ceil(skip(k+1) / 2), down to skip(0) = 1, with q = ceil(log2 p).
//
// Cost: O(log p) time and space for one rank, from p and its position alone.
// Source: J. L. Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast, all-broadcast,
// reduction and all-reduction" (arXiv 2312.11236, 2407.18004).
#pragma once

#include <array>
#include <cstdint>

#include "cohort/types.hpp"

namespace cohort {

class CirculantGraph {
 public:
  explicit CirculantGraph(Rank ranks);

  Rank ranks() const { return skips_[static_cast<std::size_t>(rounds_)]; }
  int rounds() const { return rounds_; }                                          // q
  Rank skip(int round) const { return skips_[static_cast<std::size_t>(round)]; }  // round 0 ... q
  Rank after(Rank position, int round) const;                                     // position + skip(round), modulo p
  Rank before(Rank position, int round) const;                                    // position - skip(round)

 private:
  int rounds_ = 0;
  std::array<Rank, 32> skips_{};
};

// For a rank at some position after the root: the block that it receives and the one that it sends in round k of each
// phase of q rounds. Blocks count from the first block of the phase; a negative one is of the phase before. A schedule
// is right if these local conditions hold, which tests/collectives checks:
//   send(k) at r = receive(k) at after(r, k);
//   the q receive blocks differ modulo q, and exactly one is of this phase (for the root: none);
//   the block sent in round k was received in an earlier round of this phase, or it is the one block of the previous
//   phase that no block of this phase has replaced.
struct CirculantSchedule {
  CirculantSchedule(const CirculantGraph& graph, Rank position);

  std::array<std::int8_t, 31> receive{};  // from -q to q - 1; small, because some callers hold one for each rank
  std::array<std::int8_t, 31> send{};
};

}  // namespace cohort
