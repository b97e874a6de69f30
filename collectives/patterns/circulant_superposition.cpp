// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/circulant_superposition.hpp"

#include <algorithm>

#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort {

Rank superposition_pieces(const Problem& problem) {
  const Count longest = problem.blocks.largest();
  const Count wished = problem.parameters.get("blocks", 0);
  if (wished > 0) return static_cast<Rank>(std::min(wished, std::max<Count>(longest, 1)));
  // With equal blocks, cutting them into pieces does not reduce what a rank receives. So the pieces are chosen for the
  // excess of the longest block over the mean, which travels alone in its messages.
  Problem pipeline = problem;
  pipeline.count = longest - problem.blocks.total() / problem.ranks;
  return pipeline_blocks(pipeline, ceil_log2(problem.ranks) - 1);
}

CirculantSuperposition::CirculantSuperposition(const Blocks& blocks, Rank me, Rank pieces)
    : blocks_(blocks), pieces_(pieces) {
  pipelines_.reserve(static_cast<std::size_t>(blocks.size()));
  for (Rank root = 0; root < blocks.size(); ++root)
    pipelines_.emplace_back(RootedOrder{blocks.size(), root}, me, pieces);
}

CirculantSuperposition::Move CirculantSuperposition::move(Of of, std::size_t round) const {
  const CirculantPipeline::Turn turn = pipelines_.front().turn(round);
  Move all;
  for (Rank root = 0; root < blocks_.size(); ++root) {
    const CirculantPipeline::Move one = (pipelines_[static_cast<std::size_t>(root)].*of)(turn);
    if (!one) continue;
    Segment piece = pieces_of(root).block(Buffer::output, one.block);
    if (piece.count == 0) continue;
    piece.offset += blocks_.offset(root);
    all.peer = one.peer;
    all.pieces.push_back(piece);
  }
  return all;
}

Count CirculantSuperposition::longest_message() const {
  Count longest = 0;
  for (Rank root = 0; root < blocks_.size(); ++root) longest += pieces_of(root).largest();
  return longest;
}

namespace costs {

Cost circulant_superposition(const Problem& problem) {
  // Every rank receives every piece except its own once. Equal pieces make equal volumes at all ranks.
  Cost cost = direct(problem);
  if (problem.ranks == 1) return cost;
  const Count pieces = superposition_pieces(problem);
  cost.rounds = pieces - 1 + ceil_log2(problem.ranks);
  cost.volume = std::min(cost.volume, cost.rounds * ((problem.blocks.total() + pieces - 1) / pieces));
  if (reduces(problem.operation)) cost.combined = cost.volume;
  cost.messages = problem.ranks * cost.rounds;
  return cost;
}

}  // namespace costs
}  // namespace cohort
