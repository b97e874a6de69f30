// SPDX-License-Identifier: Apache-2.0
// A pipeline over a mesh that takes one dimension after the other (Watts' dimensional-order pipeline, DOPL), in steps.
// The vector is cut into pieces. In step i each row of dimension i mod d passes on one piece from its head, the rank
// that has the root's coordinate, to its tail. The piece is cut once more, so that this is pipelined. A row whose head
// shares j coordinates with the root, counted from the row's own dimension onward, carries piece i + j - d. So in each
// step the root begins a new piece, along another dimension than the last, and a piece spreads over one dimension more.
//
// Heads miss the piece that first went along their own row's dimension. They get it one cycle later from their row's
// tail, which has nothing else to send then, while the heads have nothing else to receive. After the last piece has
// begun, rows that would carry later pieces carry the last one again, to ranks that do not have it.
// Played forward it is a broadcast, played backward a reduction.
// Source: Watts 1994, sections 6.2 and 9.
#pragma once

#include <optional>
#include <vector>

#include "collectives/cost.hpp"
#include "collectives/patterns/mesh.hpp"

namespace cohort {

// How the vector is cut: into pieces that go along one dimension after the other, and each piece once more in each
// dimension.
struct DimensionPieces {
  Rank pieces = 1;
  std::vector<Rank> inner;  // for each dimension
};

// The parameters "pieces" and "blocks", or the fastest cut in the linear model.
DimensionPieces dimension_pieces(const Problem& problem, const Mesh& mesh);

class DimensionPipeline {
 public:
  DimensionPipeline(const Problem& problem, Rank me);

  std::size_t rounds() const { return rounds_; }

  // One message of a round.
  struct Move {
    Rank peer;
    Rank piece;
    Rank step;
    Rank inner;     // part of the piece
    Segment where;  // in the output
    Count offset;   // within the piece
  };
  std::optional<Move> sent(std::size_t round) const;
  std::optional<Move> received(std::size_t round) const;

  // Whether this rank sends the piece in a step after this one.
  bool sent_after(Rank step, Rank piece) const;

  // Memory for the parts of the vector that a rank holds: slots that are used in turn. On a line a slot holds an inner
  // part. On a mesh it holds a whole piece, because pieces come in along one dimension and go out along others.
  Count slots() const;
  Count slot_elements() const;
  Count slot_of(const Move& move) const { return is_line() ? move.inner : move.piece; }
  Count offset_in_slot(const Move& move) const { return is_line() ? 0 : move.offset; }

  // The longest part that a message carries.
  Count longest_part() const;

 private:
  struct Place {
    Rank step;
    Rank round;  // within the step
  };
  Place place_of(std::size_t round) const;
  bool is_line() const { return rings_.size() == 1; }

  // One dimension, as this rank sees it; positions count from the root onward.
  struct Ring {
    Rank side = 0;
    Rank inner = 0;     // parts of a piece
    Rank rounds = 0;    // of a step
    Rank position = 0;  // of this rank
    Rank shared = 0;    // coordinates that the row's head shares with the root, from this dimension onward
    Rank next = 0;      // the neighbours, as ranks
    Rank previous = 0;
  };
  const Ring& ring_of(Rank step) const { return rings_[static_cast<std::size_t>(step % dimensions())]; }
  Rank dimensions() const { return static_cast<Rank>(rings_.size()); }

  // The piece that the rank at a position of my row sends on in a step, or none.
  std::optional<Rank> piece_sent(Rank step, const Ring& ring, Rank position) const;
  std::optional<Move> move(std::size_t round, bool outward) const;

  SmallVector<Ring, 4> rings_;
  Blocks pieces_;
  Rank steps_ = 0;
  std::size_t rounds_ = 0;
  std::uint32_t cycle_ = 0;  // rounds in which each dimension has a step
};

namespace costs {

Cost dimension_pipeline(const Problem& problem);

}  // namespace costs
}  // namespace cohort
