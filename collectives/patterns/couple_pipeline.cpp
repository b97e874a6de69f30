// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/couple_pipeline.hpp"

#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort {
namespace {

int shift_of(Rank ranks, bool partner_is_next) { return ranks % 2 == 0 && partner_is_next ? 1 : 0; }

// The root and its partner are couple 0.
Rank couple_of(Rank ranks, int shift, Rank position) {
  const Rank couple = (position + 1 - shift) / 2;
  return couple > (ranks - 1) / 2 ? TwoTrees::outside : couple;
}

}  // namespace

CouplePipeline::CouplePipeline(Rank ranks, bool partner_is_next, Rank position, TwoTrees::Order order, Rank blocks)
    : blocks_(blocks),
      shift_(shift_of(ranks, partner_is_next)),
      couple_(couple_of(ranks, shift_, position)),
      pipeline_(trees(ranks, order), couple_, blocks) {
  if (is_root()) {
    if (ranks % 2 == 0) partner_ = position != 0 ? 0 : partner_is_next ? 1 : ranks - 1;
    is_upper_ = position != 0;  // the root's partner receives from the root
  } else {
    is_upper_ = position != lower(couple_);
    partner_ = is_upper_ ? position - 1 : position + 1;
  }
  const TwoTrees both = trees(ranks, order);
  for (std::size_t parity = 0; parity < 2; ++parity) {
    upper_receives_[parity] = upper_receives(pipeline_, parity);
    const TwoTreePipeline::Line& in = pipeline_.line_in(parity);
    if (in && !is_root() && is_upper_ == upper_receives_[parity]) {
      const bool from_root = in.node == TwoTrees::outside;
      from_[parity] = from_root ? 0 : lower(in.node) + (in.child_is_right ? 1 : 0);
      parents_[static_cast<std::size_t>(in.tree)] = true;
    }
    const TwoTreePipeline::Line& out = pipeline_.line_out(parity);
    const bool is_mine = is_root() ? position == 0 : is_upper_ == out.child_is_right;
    if (out && is_mine) {
      const TwoTreePipeline child(both, out.node, blocks);
      to_[parity] = lower(out.node) + (upper_receives(child, parity) ? 1 : 0);
      children_[static_cast<std::size_t>(out.tree)] = true;
    }
  }
}

// The parent sends to the rank of the couple that does not send in that round.
bool CouplePipeline::upper_receives(const TwoTreePipeline& pipeline, std::size_t parity) {
  const TwoTreePipeline::Line& out = pipeline.line_out(parity);
  return !out || !out.child_is_right;
}

CouplePipeline::Move CouplePipeline::passed_on(std::size_t round, bool out) const {
  if (partner_ == Move::none) return {};
  if (is_root()) {
    const bool passes = round < static_cast<std::size_t>(blocks_) && out != is_upper_;
    return passes ? Move{partner_, static_cast<Rank>(round), static_cast<int>(round % 2), true, true} : Move{};
  }
  const bool has_received = is_upper_ == upper_receives_[round % 2];
  const auto move = pipeline_.in(round);
  if (!move || out != has_received) return {};
  return {partner_, move.block, move.line->tree, true, !is_upper_};
}

CouplePipeline::Move CouplePipeline::in(std::size_t round) const {
  if (round % 2 != 0) return passed_on(round / 2, false);
  const Rank peer = from_[round / 2 % 2];
  const auto move = pipeline_.in(round / 2);
  return move && peer != Move::none ? Move{peer, move.block, move.line->tree} : Move{};
}

CouplePipeline::Move CouplePipeline::out(std::size_t round) const {
  if (round % 2 != 0) return passed_on(round / 2, true);
  const Rank peer = to_[round / 2 % 2];
  const auto move = pipeline_.out(round / 2);
  return move && peer != Move::none ? Move{peer, move.block, move.line->tree, false, is_root() || is_upper_} : Move{};
}

Rank couple_blocks(const Problem& problem, TwoTrees::Order order) {
  return pipeline_blocks(problem, CouplePipeline::trees(problem.ranks, order).delay());
}

Cost costs::two_tree_couples(const Problem& problem, TwoTrees::Order order) {
  if (problem.ranks == 1) return {};
  const TwoTrees trees = CouplePipeline::trees(problem.ranks, order);
  const Count blocks = couple_blocks(problem, order);
  BusyRounds busy(2);
  trees.add_busy(busy, (blocks + 1) / 2, blocks / 2);
  const Count rounds = problem.ranks == 2 ? blocks : 2 * busy.count();
  const Count volume = rounds * (problem.count / blocks);
  const Count others = problem.ranks - 1;
  return {rounds, volume, others * problem.count, reduces(problem.operation) ? volume : 0, others * blocks};
}

}  // namespace cohort
