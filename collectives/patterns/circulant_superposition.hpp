// SPDX-License-Identifier: Apache-2.0
// Round-optimal broadcasts from all ranks at once on the circulant graph. All of them use the same edge in a round, so
// each rank sends one message and receives one, with the pieces of all roots' blocks that are due. Played backward it
// reduces each block to its rank.
// With blocks of very unequal sizes the pipelines of the long blocks decide the time, and the others fill the rounds.
// Time and space to make one rank's schedule: O(p log p).
// Source: Traeff, arXiv 2407.18004.
#pragma once

#include <vector>

#include "collectives/cost.hpp"
#include "collectives/patterns/circulant_pipeline.hpp"

namespace cohort {

// The number of pieces that each rank's block is cut into: the parameter "blocks", or the best number for the longest
// block. The more equal the blocks are, the fewer the pieces, down to one.
Rank superposition_pieces(const Problem& problem);

class CirculantSuperposition {
 public:
  CirculantSuperposition(const Blocks& blocks, Rank me, Rank pieces);

  std::size_t rounds() const { return pipelines_.front().rounds(); }

  // The pieces that are sent or received in a round, at their places in a vector of all blocks, by root.
  struct Move {
    Rank peer = 0;
    std::vector<Segment> pieces;
  };
  Move sent(std::size_t round) const { return move(&CirculantPipeline::sent, round); }
  Move received(std::size_t round) const { return move(&CirculantPipeline::received, round); }

  // No message is longer than this.
  Count longest_message() const;

 private:
  using Of = CirculantPipeline::Move (CirculantPipeline::*)(CirculantPipeline::Turn) const;
  Move move(Of of, std::size_t round) const;
  Blocks pieces_of(Rank root) const { return Blocks::split(pieces_, blocks_.count(root)); }

  Blocks blocks_;
  Rank pieces_;
  std::vector<CirculantPipeline> pipelines_;  // by root
};

namespace costs {

Cost circulant_superposition(const Problem& problem);

}  // namespace costs
}  // namespace cohort
