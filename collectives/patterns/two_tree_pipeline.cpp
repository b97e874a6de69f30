// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/two_tree_pipeline.hpp"

#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort {

TwoTreePipeline::TwoTreePipeline(const TwoTrees& trees, Rank node, Rank blocks)
    : blocks_(blocks), rounds_(static_cast<std::size_t>(blocks + trees.delay())) {
  const bool has_top = trees.top() != TwoTrees::outside;
  for (int tree = 0; tree < 2; ++tree) {
    const TwoTrees::Edge top{trees.top(), tree};
    const TwoTrees::Edge root{trees.root(tree), tree + (has_top ? 1 : 0)};
    if (node == TwoTrees::outside) {
      add(out_, has_top ? top : root, tree, true);
    } else if (node == trees.top()) {
      add(in_, {TwoTrees::outside, tree}, tree, true);
      add(out_, root, tree, false);
    } else {
      const TwoTrees::Place place = trees.place(tree, node);
      add(in_, place.parent, tree, place.is_right && node != trees.root(tree));
      add(out_, place.left, tree, false);
      add(out_, place.right, tree, true);
    }
  }
}

TwoTreePipeline::TwoTreePipeline(const ShiftedTrees& trees, Rank node, Rank blocks)
    : blocks_(blocks), rounds_(static_cast<std::size_t>(blocks + trees.delay())) {
  for (int tree = 0; tree < 2; ++tree) {
    if (node == TwoTrees::outside) {
      add(out_, trees.root(tree), tree, true);
      continue;
    }
    add(in_, trees.parent(tree, node), tree, false);
    const auto [left, right] = trees.children(tree, node);
    add(out_, left, tree, false);
    add(out_, right, tree, true);
  }
}

void TwoTreePipeline::add_broadcast(Schedule& schedule, const RootedOrder& order, const Blocks& blocks) const {
  schedule.add_rounds(rounds(), [pipeline = *this, order, blocks](std::size_t index, Round& round) {
    if (const auto move = pipeline.out(index)) {
      round.send(order.rank_at(move.line->node), blocks.block(Buffer::output, move.block));
    }
    if (const auto move = pipeline.in(index)) {
      round.receive(order.rank_at(move.line->node), blocks.block(Buffer::output, move.block));
    }
  });
}

void TwoTreePipeline::add(std::array<Line, 2>& lines, const TwoTrees::Edge& edge, int tree, bool child_is_right) {
  const bool is_to_child = &lines == &out_;
  if (is_to_child && edge.node == InOrderTree::none) return;
  lines[static_cast<std::size_t>(edge.first % 2)] = {edge.node, edge.first, tree, child_is_right};
}

bool TwoTreePipeline::is_last_child(const Line& line) const {
  return std::none_of(out_.begin(), out_.end(),
                      [&](const Line& other) { return other.tree == line.tree && other.first > line.first; });
}

Rank two_tree_blocks(const Problem& problem, const TwoTrees& trees) { return pipeline_blocks(problem, trees.delay()); }

Cost costs::two_tree(const Problem& problem, const TwoTrees& trees) {
  if (problem.ranks == 1) return {};
  const Count blocks = two_tree_blocks(problem, trees);
  BusyRounds busy(2);
  trees.add_busy(busy, (blocks + 1) / 2, blocks / 2);
  const Count rounds = busy.count();
  const Count volume = rounds * (problem.count / blocks);
  const Count others = problem.ranks - 1;
  return {rounds,
          volume,
          others * problem.count,
          reduces(problem.operation) ? volume : 0,
          others * blocks,
          0,
          std::max<Count>(rounds - trees.delay() - 1, 0)};
}

}  // namespace cohort
