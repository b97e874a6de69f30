#include "collectives/circulant_pipeline.hpp"

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
  // The last phase goes on after the last block; in its place the last one is sent, to whoever has yet to get it.
  return block < 0 ? Move::none : static_cast<Rank>(std::min<std::int64_t>(block, blocks_ - 1));
}

CirculantPipeline::Move CirculantPipeline::sent(std::size_t round) const {
  const std::int64_t i = static_cast<std::int64_t>(round) + skipped_;
  const int q = graph_.rounds();
  const Rank to = graph_.after(position_, static_cast<int>(i % q));
  if (to == 0) return {};
  return {order_.rank_at(to), clipped(schedule_.send[static_cast<std::size_t>(i % q)] + i / q * q - skipped_)};
}

CirculantPipeline::Move CirculantPipeline::received(std::size_t round) const {
  if (position_ == 0) return {};
  const std::int64_t i = static_cast<std::int64_t>(round) + skipped_;
  const int q = graph_.rounds();
  const Rank from = graph_.before(position_, static_cast<int>(i % q));
  return {order_.rank_at(from), clipped(schedule_.receive[static_cast<std::size_t>(i % q)] + i / q * q - skipped_)};
}

bool CirculantPipeline::sent_after(std::size_t round, Rank block) const {
  const std::size_t end = std::min(rounds(), round + 1 + static_cast<std::size_t>(block_life()));
  for (std::size_t later = round + 1; later < end; ++later) {
    if (sent(later).block == block) return true;
  }
  return false;
}

}  // namespace cohort
