// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/tree_pipeline.hpp"

#include <algorithm>

#include "collectives/patterns/arrivals.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort {

TreePipeline::TreePipeline(const Tree& tree, Rank blocks) : tree_(tree), blocks_(blocks) {
  // A single block needs no room for a next one.
  if (blocks_ == 1) tree_.period = std::max<Count>(tree.rounds, 1);
}

TreePipeline::Move TreePipeline::from_parent(std::size_t round) const {
  const Count since = static_cast<Count>(round) - tree_.up.round;
  if (tree_.is_root || since < 0 || since % tree_.period != 0 || since / tree_.period >= blocks_) return {};
  return {tree_.up.peer, static_cast<Rank>(since / tree_.period)};
}

TreePipeline::Move TreePipeline::to_child(std::size_t round) const {
  if (tree_.down.empty()) return {};
  const Count first = tree_.down[0].round;
  const Count since = static_cast<Count>(round) - first;
  if (since < 0 || since / tree_.period >= blocks_) return {};
  const TreeEdge* edge = std::lower_bound(tree_.down.begin(), tree_.down.end(), first + since % tree_.period,
                                          [](const TreeEdge& child, Count wanted) { return child.round < wanted; });
  if (edge == tree_.down.end() || edge->round != first + since % tree_.period) return {};
  return {edge->peer, static_cast<Rank>(since / tree_.period), static_cast<std::size_t>(edge - tree_.down.begin())};
}

Rank tree_blocks(const Problem& problem, const Tree& tree) {
  return pipeline_blocks(problem, (tree.rounds - tree.period) / tree.period);
}

Schedule tree_broadcast(const Problem& problem, const Tree& tree, Rank blocks) {
  const TreePipeline pipeline(tree, blocks);
  const auto parts = Blocks::split(blocks, problem.count);

  Schedule schedule;
  schedule.add_rounds(pipeline.rounds(), [pipeline, parts](std::size_t index, Round& round) {
    if (const auto send = pipeline.to_child(index)) round.send(send.peer, parts.block(Buffer::output, send.block));
    if (const auto receive = pipeline.from_parent(index)) {
      round.receive(receive.peer, parts.block(Buffer::output, receive.block));
    }
  });
  return schedule;
}

namespace {

class Reduction {
 public:
  Reduction(Schedule& schedule, const Problem& problem, const Tree& tree, Rank me, Rank blocks)
      : parts_(Blocks::split(blocks, problem.count)),
        pipeline_(tree, blocks),
        operand_(operand_buffer(problem, me)),
        me_(me),
        children_(static_cast<Count>(tree.down.size())),
        // In place at the root, the operand is at the place of the sum.
        direct_(tree.is_root && operand_ == Buffer::output ? 0 : 1),
        partials_(schedule, tree.is_root || children_ == 0 ? 0 : partials_in_use(), parts_.largest()),
        arrivals_(schedule, children_ > direct_ ? Slots::for_blocks(blocks) : 0, parts_.largest()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  void write(std::size_t index, Round& round) const {
    const std::size_t forward = rounds() - 1 - index;
    if (const auto upward = pipeline_.from_parent(forward)) {
      const Rank block = parts_.size() - 1 - upward.block;
      round.send(upward.peer, children_ == 0 ? parts_.block(operand_, block) : sum(block));
    }
    if (const auto downward = pipeline_.to_child(forward)) {
      const Rank block = parts_.size() - 1 - downward.block;
      combine(round, downward.peer, block, children_ - 1 - static_cast<Count>(downward.child));
    }
  }

 private:
  // Receives the nth arrival for this block, from a child, and combines it.
  void combine(Round& round, Rank child, Rank block, Count nth) const {
    const Segment standing = nth < direct_ ? parts_.block(operand_, block) : sum(block);
    arrivals_.combine(round, child, child > me_ ? Side::right : Side::left, standing, sum(block),
                      block * (children_ - direct_) + nth - direct_);
  }

  Segment sum(Rank block) const {
    const Tree& tree = pipeline_.tree();
    return tree.is_root ? parts_.block(Buffer::output, block) : partials_.at(block, parts_.count(block));
  }

  // The blocks whose sums are in use between a block's first arrival and the sending of its sum, and a few more for
  // receives ahead.
  Count partials_in_use() const {
    const Tree& tree = pipeline_.tree();
    return std::min<Count>(parts_.size(), (tree.down.back().round - tree.up.round) / tree.period + Slots::usual);
  }

  Blocks parts_;
  TreePipeline pipeline_;
  Buffer operand_;
  Rank me_;
  Count children_;
  Count direct_;  // the number of first arrivals for a block that are received at the sum's place
  Slots partials_;
  Arrivals arrivals_;
};

}  // namespace

Schedule tree_reduction(const Problem& problem, const Tree& tree, Rank me, Rank blocks) {
  if (problem.ranks == 1) return alone(problem);
  Schedule schedule;
  const Reduction reduction(schedule, problem, tree, me, blocks);
  schedule.add_rounds(reduction.rounds(),
                      [reduction](std::size_t index, Round& round) { reduction.write(index, round); });
  return schedule;
}

Schedule tree_fan_in(const Tree& tree) {
  const TreePipeline pipeline(tree, 1);
  Schedule schedule;
  schedule.add_rounds(pipeline.rounds(), [pipeline](std::size_t index, Round& round) {
    const std::size_t forward = pipeline.rounds() - 1 - index;
    if (const auto child = pipeline.to_child(forward)) round.await(child.peer);
    if (const auto parent = pipeline.from_parent(forward)) {
      round.fence();
      round.signal(parent.peer);
    }
  });
  Round& heard = schedule.add_round();
  if (tree.is_root) heard.fence();
  return schedule;
}

Schedule tree_fan_out(const Tree& tree) {
  const TreePipeline pipeline(tree, 1);
  Schedule schedule;
  schedule.add_rounds(pipeline.rounds(), [pipeline](std::size_t index, Round& round) {
    if (const auto parent = pipeline.from_parent(index)) round.await(parent.peer);
    if (const auto child = pipeline.to_child(index)) {
      if (child.child == 0) round.fence();
      round.signal(child.peer);
    }
  });
  return schedule;
}

Cost tree_cost(const Problem& problem, const Tree& tree, Rank blocks) {
  if (problem.ranks == 1) return {};
  const auto rounds = static_cast<Count>(TreePipeline(tree, blocks).rounds());
  const Count volume = rounds * (problem.count / blocks);
  const Count others = problem.ranks - 1;
  return {rounds,          volume, others * problem.count, reduces(problem.operation) ? volume : 0,
          others * blocks, 0,      rounds - tree.rounds};
}

}  // namespace cohort
