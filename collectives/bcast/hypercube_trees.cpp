// SPDX-License-Identifier: Apache-2.0
// Broadcast in blocks down q binomial trees of a hypercube. No two trees share an edge. Each has its top at another
// neighbour of the root, which deals the blocks out to the trees in turn. In round t every rank exchanges with its
// neighbour in dimension t mod q.
// Cost: (n - 1 + q) (alpha + beta m / n) with n blocks and q = log2 p, the fewest rounds possible. The number of ranks
// must be a power of two; bcast/circulant takes as long with any number.
// Parameter: blocks.
// Source: Johnsson and Ho 1989; CCL section 4.2; Sanders, Speck and Traeff 2009, section 2. The closed form is ours.
#include <algorithm>

#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"

namespace cohort::bcast {
namespace {

constexpr Count none = -1;

// The block that a rank receives in a round. `position` differs from the root's in its set bits. The tree that begins
// with dimension j reaches a position by its set bits in cyclic order from j on. So a message over the dimension of a
// set bit belongs to the tree that begins with the next set bit. If bit j is clear, the position is a leaf of tree j,
// which it reaches last, over dimension j.
Count received(std::uint32_t position, Count round, int q, Rank blocks) {
  if (position == 0) return none;
  const auto dimension = static_cast<int>(round % q);
  Count block = round - q;
  if ((position >> dimension & 1) != 0) {
    int next = dimension;  // the next set bit, cyclically
    do {
      next = next + 1 == q ? 0 : next + 1;
    } while ((position >> next & 1) == 0);
    block = round - (dimension - next + q) % q;
  }
  return block < 0 ? none : std::min<Count>(block, blocks - 1);
}

}  // namespace

Schedule hypercube_trees(const Problem& problem, Rank me) {
  const int q = ceil_log2(problem.ranks);
  const auto blocks = Blocks::split(pipeline_blocks(problem, q - 1), problem.count);
  const Rank position = me ^ problem.root;

  Schedule schedule;
  const std::size_t rounds = q == 0 ? 0 : static_cast<std::size_t>(blocks.size() - 1 + q);
  schedule.add_rounds(rounds, [=](std::size_t index, Round& round) {
    const auto now = static_cast<Count>(index);
    const auto bit = static_cast<Rank>(1 << now % q);
    const Count sent = received(static_cast<std::uint32_t>(position ^ bit), now, q, blocks.size());
    const Count arriving = received(static_cast<std::uint32_t>(position), now, q, blocks.size());
    if (sent != none) round.send(me ^ bit, blocks.block(Buffer::output, static_cast<Rank>(sent)));
    if (arriving != none) round.receive(me ^ bit, blocks.block(Buffer::output, static_cast<Rank>(arriving)));
  });
  return schedule;
}

}  // namespace cohort::bcast
