#include "collectives/dimension_pipeline.hpp"

#include <algorithm>

#include "collectives/peers.hpp"
#include "collectives/pipeline_blocks.hpp"
#include "collectives/slots.hpp"

namespace cohort {
namespace {

// For so many pieces.
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
  // On a line there is nothing to take turns.
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

DimensionPipeline::DimensionPipeline(const Problem& problem, Rank me)
    : mesh_(mesh_of(problem)),
      cut_(dimension_pieces(problem, mesh_)),
      pieces_(Blocks::split(cut_.pieces, problem.count)),
      me_(me) {
  const int d = mesh_.dimensions();
  if (d == 0) return;
  steps_ = cut_.pieces + d - 1;
  for (int dimension = 0; dimension < d; ++dimension) {
    const auto turns = static_cast<std::size_t>((steps_ + d - 1 - dimension) / d);
    cycle_ += static_cast<std::size_t>(rounds_of(dimension));
    rounds_ += turns * static_cast<std::size_t>(rounds_of(dimension));
    positions_.push_back(
        modulo(mesh_.coordinate(me, dimension) - mesh_.coordinate(problem.root, dimension), mesh_.side(dimension)));
  }
  for (int dimension = 0; dimension < d; ++dimension) {
    Rank shared = 1;
    while (shared < d && position((dimension + shared) % d) == 0) ++shared;
    shared_.push_back(shared);
  }
}

DimensionPipeline::Place DimensionPipeline::place_of(std::size_t round) const {
  const int d = mesh_.dimensions();
  auto step = static_cast<Rank>(round / cycle_) * d;
  auto rest = static_cast<Rank>(round % cycle_);
  while (rest >= rounds_of(step % d)) rest -= rounds_of(step++ % d);
  return {step, step % d, rest};
}

std::optional<Rank> DimensionPipeline::piece_sent(Rank step, int dimension, Rank position) const {
  const int d = mesh_.dimensions();
  const Rank shared = shared_[static_cast<std::size_t>(dimension)];
  if (position < mesh_.side(dimension) - 1) {
    const Rank piece = step + shared - d;
    return piece < 0 ? std::nullopt : std::optional(std::min(piece, cut_.pieces - 1));
  }
  // The tail, to its head: but the root needs nothing.
  return shared == d || step < d ? std::nullopt : std::optional(step - d);
}

std::optional<DimensionPipeline::Move> DimensionPipeline::move(std::size_t round, bool outward) const {
  const Place place = place_of(round);
  const Rank side = mesh_.side(place.dimension);
  const Rank sender = modulo(position(place.dimension) - (outward ? 0 : 1), side);
  const Rank inner = sender < side - 1 ? place.round - sender : place.round;
  const Rank parts = inner_of(place.dimension);
  const auto piece = piece_sent(place.step, place.dimension, sender);
  if (!piece || inner < 0 || inner >= parts) return {};
  const Segment part = Blocks::split(parts, pieces_.count(*piece)).block(Buffer::output, inner);
  const Rank peer = mesh_.onward(me_, place.dimension, outward ? 1 : -1);
  return Move{peer,       *piece, place.step, inner, {part.buffer, pieces_.offset(*piece) + part.offset, part.count},
              part.offset};
}

std::optional<DimensionPipeline::Move> DimensionPipeline::sent(std::size_t round) const { return move(round, true); }

std::optional<DimensionPipeline::Move> DimensionPipeline::received(std::size_t round) const {
  return move(round, false);
}

bool DimensionPipeline::sent_after(Rank step, Rank piece) const {
  const int d = mesh_.dimensions();
  for (Rank later = step + 1; later < std::min(steps_, piece + d + 1); ++later) {
    if (piece_sent(later, later % d, position(later % d)) == piece) return true;
  }
  return false;
}

Count DimensionPipeline::longest_part() const {
  Count longest = 0;
  for (const Rank inner : cut_.inner) longest = std::max(longest, Blocks::split(inner, pieces_.largest()).largest());
  return longest;
}

Count DimensionPipeline::slots() const {
  // A piece is in hand from its first step to that of its tails, d steps later; one more, to receive ahead.
  return is_line() ? std::min<Count>(Slots::usual, inner_of(0)) : std::min(cut_.pieces, mesh_.dimensions() + 2);
}

Count DimensionPipeline::slot_elements() const { return is_line() ? longest_part() : pieces_.largest(); }

namespace costs {

// In each round the longest part is one of the foremost pieces', for parts get shorter in a vector only.
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
    // The rows with the least in common with the root carry the foremost piece.
    const auto in_rows = Blocks::split(parts, pieces.count(std::max(0, std::min(step + 1 - d, cut.pieces - 1))));
    const bool tails_send = d > 1 && step >= d;
    const auto at_tails = Blocks::split(parts, pieces.count(tails_send ? step - d : 0));
    for (Rank round = 0; round < side - 2 + parts; ++round) {
      const Count along = in_rows.count(std::max(0, round - (side - 2)));
      const Count back = tails_send && round < parts ? at_tails.count(round) : 0;
      cost.rounds += std::max(along, back) > 0 ? 1 : 0;
      cost.volume += std::max(along, back);
    }
  }
  if (reduces(problem.operation)) cost.combined = cost.volume;
  return cost;
}

}  // namespace costs
}  // namespace cohort
