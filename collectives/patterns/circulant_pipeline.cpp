// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/circulant_pipeline.hpp"

#include <algorithm>

namespace cohort {

CirculantPipeline::CirculantPipeline(RootedOrder order, Rank me, Rank blocks)
    : order_(order),
      graph_(order.ranks),
      position_(order.position_of(me)),
      blocks_(blocks),
      skipped_(graph_.rounds() == 0 ? 0 : (graph_.rounds() - (blocks - 1) % graph_.rounds()) % graph_.rounds()),
      schedule_(graph_, position_) {}

Rank CirculantPipeline::clipped(std::int64_t block) const {
  // In the last phase, blocks after the last one are replaced by the last one, for ranks that have yet to receive it.
  return block < 0 ? Move::none : static_cast<Rank>(std::min<std::int64_t>(block, blocks_ - 1));
}

CirculantPipeline::Turn CirculantPipeline::turn(std::size_t round) const {
  const auto q = static_cast<std::uint32_t>(graph_.rounds());
  const auto i = static_cast<std::uint32_t>(round) + static_cast<std::uint32_t>(skipped_);
  return {static_cast<int>(i % q), static_cast<std::int64_t>(i / q) * q - skipped_};
}

CirculantPipeline::Move CirculantPipeline::sent(Turn turn) const {
  const auto [k, first_block] = turn;
  const Rank to = graph_.after(position_, k);
  if (to == 0) return {};
  return {order_.rank_at(to), clipped(schedule_.send[static_cast<std::size_t>(k)] + first_block)};
}

CirculantPipeline::Move CirculantPipeline::received(Turn turn) const {
  if (position_ == 0) return {};
  const auto [k, first_block] = turn;
  const Rank from = graph_.before(position_, k);
  return {order_.rank_at(from), clipped(schedule_.receive[static_cast<std::size_t>(k)] + first_block)};
}

bool CirculantPipeline::sent_after(std::size_t round, Rank block) const {
  if (block == blocks_ - 1) return last_block_sent_after(round);
  // Each round of a phase of q rounds has its own block. The same round of the next phase has the block q further on.
  const auto [k, first_block] = turn(round);
  const int q = graph_.rounds();
  const std::int64_t wanted = block - first_block;
  const std::size_t phase_start = round - static_cast<std::size_t>(k);  // may wrap around below 0, and back again
  for (int later = 0; later < q; ++later) {
    const int sent = schedule_.send[static_cast<std::size_t>(later)];
    const bool in_this_phase = sent == wanted && later > k;
    const bool in_next_phase = sent + q == wanted;
    if (!in_this_phase && !in_next_phase) continue;
    const std::size_t when = phase_start + static_cast<std::size_t>(later + (in_next_phase ? q : 0));
    if (when < rounds() && graph_.after(position_, later) != 0) return true;
  }
  return false;
}

bool CirculantPipeline::last_block_sent_after(std::size_t round) const {
  const std::size_t end = std::min(rounds(), round + 1 + static_cast<std::size_t>(block_life()));
  for (std::size_t later = round + 1; later < end; ++later) {
    if (sent(later).block == blocks_ - 1) return true;
  }
  return false;
}

}  // namespace cohort
