// SPDX-License-Identifier: Apache-2.0
// A round-optimal pipeline of n blocks on the circulant graph: n - 1 + ceil(log2 p) rounds in which every rank except
// the root receives every block once. Played forward it is a broadcast, played backward a reduction.
// Source: Traeff, see circulant_schedule.hpp.
#pragma once

#include "collectives/patterns/circulant_schedule.hpp"
#include "collectives/peers.hpp"

namespace cohort {

class CirculantPipeline {
 public:
  CirculantPipeline(RootedOrder order, Rank me, Rank blocks);

  std::size_t rounds() const {
    return graph_.rounds() == 0 ? 0 : static_cast<std::size_t>(blocks_ - 1 + graph_.rounds());
  }

  // One message of a round. No block: no message.
  struct Move {
    static constexpr Rank none = -1;
    Rank peer = 0;
    Rank block = none;
    explicit operator bool() const { return block != none; }
  };
  Move sent(std::size_t round) const { return sent(turn(round)); }
  Move received(std::size_t round) const { return received(turn(round)); }

  // The place of a round, equal at all ranks and in all pipelines with the same number of blocks: round k of a phase of
  // q rounds, and the block from which the phase counts.
  struct Turn {
    int k;
    std::int64_t first_block;
  };
  Turn turn(std::size_t round) const;
  Move sent(Turn turn) const;
  Move received(Turn turn) const;

  // Whether this rank sends the block in a round after this one.
  bool sent_after(std::size_t round, Rank block) const;

  // Block b is received in round b or later, and is last sent in a round before b + block_life(). So block_life()
  // pieces of memory, used in turn, hold all blocks that a rank still has to send.
  Rank block_life() const { return 2 * graph_.rounds(); }

 private:
  Rank clipped(std::int64_t block) const;
  bool last_block_sent_after(std::size_t round) const;

  RootedOrder order_;
  CirculantGraph graph_;
  Rank position_;
  Rank blocks_;
  int skipped_;  // rounds that the first phase leaves out, so that the last phase is complete
  CirculantSchedule schedule_;
};

}  // namespace cohort
