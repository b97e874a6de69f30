// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/dimension_pipeline.hpp"

#include <algorithm>

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/peers.hpp"

namespace cohort {
namespace {

// The best cut for so many pieces.
DimensionPieces cut_for(Rank pieces, const Problem& problem, const Mesh& mesh) {
  const Count elements = problem.count / pieces;
  const Count blocks = problem.parameters.get("blocks", 0);
  DimensionPieces cut{pieces, {}};
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension) {
    cut.inner.push_back(blocks > 0 ? at_most_one_each((blocks + pieces - 1) / pieces, elements)
                                   : fastest_blocks(problem, elements, mesh.side(dimension) - 2));
  }
  return cut;
}

double seconds_of(const DimensionPieces& cut, const Problem& problem, const Mesh& mesh) {
  const Network& network = problem.network;
  const double per_byte = network.beta + (reduces(problem.operation) ? network.gamma : 0);
  const double bytes = static_cast<double>(problem.count * problem.element_bytes) / cut.pieces;
  const int d = mesh.dimensions();
  double sum = 0;
  for (int dimension = 0; dimension < d; ++dimension) {
    const Rank inner = cut.inner[static_cast<std::size_t>(dimension)];
    const Rank steps = (cut.pieces + 2 * d - 2 - dimension) / d;
    sum += steps * (mesh.side(dimension) - 2.0 + inner) * (network.alpha + per_byte * bytes / inner);
  }
  return sum;
}

}  // namespace

DimensionPieces dimension_pieces(const Problem& problem, const Mesh& mesh) {
  const int d = mesh.dimensions();
  // A line has a single dimension, so there are no turns.
  const Count most = d < 2 ? 1 : std::max<Count>(problem.count, 1);
  const Count wished = problem.parameters.get("pieces", 0);
  if (wished > 0) return cut_for(static_cast<Rank>(std::min(wished, most)), problem, mesh);
  DimensionPieces best = cut_for(1, problem, mesh);
  double least = seconds_of(best, problem, mesh);
  for (Rank pieces = 2; pieces <= std::min<Count>(most, 8 * d); ++pieces) {
    const DimensionPieces cut = cut_for(pieces, problem, mesh);
    const double time = seconds_of(cut, problem, mesh);
    if (time >= least) continue;
    least = time;
    best = cut;
  }
  return best;
}

DimensionPipeline::DimensionPipeline(const Problem& problem, Rank me) {
  const Mesh mesh = mesh_of(problem);
  const DimensionPieces cut = dimension_pieces(problem, mesh);
  pieces_ = Blocks::split(cut.pieces, problem.count);
  const int d = mesh.dimensions();
  if (d == 0) return;
  steps_ = cut.pieces + d - 1;
  for (int dimension = 0; dimension < d; ++dimension) {
    const Rank side = mesh.side(dimension);
    const Rank inner = cut.inner[static_cast<std::size_t>(dimension)];
    const Rank position = modulo(mesh.coordinate(me, dimension) - mesh.coordinate(problem.root, dimension), side);
    const Rank rounds = side - 2 + inner;
    rings_.push_back({.side = side,
                      .inner = inner,
                      .rounds = rounds,
                      .position = position,
                      .next = mesh.onward(me, dimension, 1),
                      .previous = mesh.onward(me, dimension, -1)});
    const auto turns = static_cast<std::size_t>((steps_ + d - 1 - dimension) / d);
    cycle_ += static_cast<std::uint32_t>(rounds);
    rounds_ += turns * static_cast<std::size_t>(rounds);
  }
  for (Rank dimension = 0; dimension < d; ++dimension) {
    Rank shared = 1;
    while (shared < d && ring_of(dimension + shared).position == 0) ++shared;
    rings_[static_cast<std::size_t>(dimension)].shared = shared;
  }
}

DimensionPipeline::Place DimensionPipeline::place_of(std::size_t round) const {
  const auto index = static_cast<std::uint32_t>(round);
  auto step = static_cast<Rank>(index / cycle_) * dimensions();
  auto rest = static_cast<Rank>(index % cycle_);
  for (const Ring* ring = rings_.begin(); rest >= ring->rounds; ++ring, ++step) rest -= ring->rounds;
  return {step, rest};
}

std::optional<Rank> DimensionPipeline::piece_sent(Rank step, const Ring& ring, Rank position) const {
  const Rank d = dimensions();
  if (position < ring.side - 1) {
    const Rank piece = step + ring.shared - d;
    return piece < 0 ? std::nullopt : std::optional(std::min(piece, pieces_.size() - 1));
  }
  // The tail sends to its head, unless that is the root.
  return ring.shared == d || step < d ? std::nullopt : std::optional(step - d);
}

std::optional<DimensionPipeline::Move> DimensionPipeline::move(std::size_t round, bool outward) const {
  const Place place = place_of(round);
  const Ring& ring = ring_of(place.step);
  const Rank sender = outward ? ring.position : ring.position == 0 ? ring.side - 1 : ring.position - 1;
  const Rank inner = sender < ring.side - 1 ? place.round - sender : place.round;
  if (inner < 0 || inner >= ring.inner) return {};
  const auto piece = piece_sent(place.step, ring, sender);
  if (!piece) return {};
  const Segment part = Blocks::split(ring.inner, pieces_.count(*piece)).block(Buffer::output, inner);
  return Move{.peer = outward ? ring.next : ring.previous,
              .piece = *piece,
              .step = place.step,
              .inner = inner,
              .where = {part.buffer, pieces_.offset(*piece) + part.offset, part.count},
              .offset = part.offset};
}

std::optional<DimensionPipeline::Move> DimensionPipeline::sent(std::size_t round) const { return move(round, true); }

std::optional<DimensionPipeline::Move> DimensionPipeline::received(std::size_t round) const {
  return move(round, false);
}

bool DimensionPipeline::sent_after(Rank step, Rank piece) const {
  for (Rank later = step + 1; later < std::min(steps_, piece + dimensions() + 1); ++later) {
    const Ring& ring = ring_of(later);
    if (piece_sent(later, ring, ring.position) == piece) return true;
  }
  return false;
}

Count DimensionPipeline::longest_part() const {
  Count longest = 0;
  for (const Ring& ring : rings_) longest = std::max(longest, Blocks::split(ring.inner, pieces_.largest()).largest());
  return longest;
}

Count DimensionPipeline::slots() const {
  // A rank holds a piece from its first step to its tails' step, d steps later. One more slot is for receives ahead.
  return is_line() ? std::min<Count>(Slots::usual, rings_[0].inner) : std::min(pieces_.size(), dimensions() + 2);
}

Count DimensionPipeline::slot_elements() const { return is_line() ? longest_part() : pieces_.largest(); }

namespace costs {

// The longest part in each round belongs to the foremost piece: later parts of a vector are never longer.
Cost dimension_pipeline(const Problem& problem) {
  const Mesh mesh = mesh_of(problem);
  const DimensionPieces cut = dimension_pieces(problem, mesh);
  const auto pieces = Blocks::split(cut.pieces, problem.count);
  const int d = mesh.dimensions();
  Cost cost;
  cost.total = (mesh.size() - 1) * problem.count;
  for (Rank step = 0; d > 0 && step < cut.pieces + d - 1; ++step) {
    const Rank side = mesh.side(step % d);
    const Rank parts = cut.inner[static_cast<std::size_t>(step % d)];
    // The rows whose heads share the fewest coordinates with the root carry the foremost piece.
    const auto in_rows = Blocks::split(parts, pieces.count(std::max(0, std::min(step + 1 - d, cut.pieces - 1))));
    const bool tails_send = d > 1 && step >= d;
    const auto at_tails = Blocks::split(parts, pieces.count(tails_send ? step - d : 0));
    // A row carries a piece if its head shares enough coordinates with the root.
    Count rows = 1;
    Count carrying = 1;
    for (int later = 1; later < d; ++later) {
      rows *= mesh.side((step + later) % d);
      if (later >= d - step) carrying *= mesh.side((step + later) % d);
    }
    cost.messages += parts * (carrying * (side - 1) + (tails_send ? rows - 1 : 0));
    for (Rank round = 0; round < side - 2 + parts; ++round) {
      const Count along = in_rows.count(std::max(0, round - (side - 2)));
      const Count back = tails_send && round < parts ? at_tails.count(round) : 0;
      cost.rounds += std::max(along, back) > 0 ? 1 : 0;
      cost.volume += std::max(along, back);
    }
  }
  if (reduces(problem.operation)) cost.combined = cost.volume;
  cost.overlapped = std::max<Count>(cost.rounds - mesh.hops() - d, 0);
  return cost;
}

}  // namespace costs
}  // namespace cohort
