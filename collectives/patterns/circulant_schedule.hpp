// The circulant graph that many algorithms communicate on, and which block passes along which of its edges in a
// round-optimal broadcast.
//
// Ranks are positions modulo p; in round k a rank sends to the one skip(k) after it. The skips halve: skip(q) = p,
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

// For a rank at some position after the root: which block it receives and sends in round k of each phase of q rounds,
// counted from the first block of that phase; negative: a block of the phase before. The conditions that make
// a schedule right are local, and tests/collectives checks them:
//   send(k) at r = receive(k) at after(r, k);
//   the receive blocks are q different ones modulo q, exactly one of this phase (for the root: none);
//   what is sent in round k was received in an earlier round of this phase, or is the one block of the phase before
//   that nothing of this phase has replaced.
struct CirculantSchedule {
  CirculantSchedule(const CirculantGraph& graph, Rank position);

  std::array<std::int8_t, 31> receive{};  // from -q to q - 1; small, for some hold one for each rank
  std::array<std::int8_t, 31> send{};
};

}  // namespace cohort
