// SPDX-License-Identifier: Apache-2.0
// Broadcast down two binary trees, one over each half of the other ranks. The first half of the vector goes down one
// tree, the second half down the other, in blocks that the root sends in turn. Then each rank of one tree swaps halves
// with a rank of the other. If one rank is left over, the root gives it the half that it lacks.
// Cost: about (n + 2 log2 p) (alpha + beta m / n) + alpha + beta m / 2 with n blocks; 1.5 beta m for long vectors.
// Parameter: blocks, of both halves together.
// Source: Sanders, Speck and Traeff 2009, section 2 ("split binary tree").
#include <algorithm>

#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {
namespace {

// Positions count from the root, which is 0 and stands above both trees.
struct Half {
  Rank before;  // its positions are before + 1 ... before + size
  Rank size;

  bool contains(Rank position) const { return before < position && position <= before + size; }

  // The tree as a position sees it. A position outside of the tree has no children there and receives no block.
  Tree tree(Rank position, Count delay, Count period) const {
    const bool is_in = contains(position);
    Tree tree = in_order_tree(size + 1, 0, is_in ? position - before : 0);
    if (!is_in && position != 0) tree.down.clear();
    tree.period = period;
    tree.rounds += delay;
    const auto place = [&](TreeEdge& edge) {
      if (edge.peer != 0) edge.peer += before;
      edge.round += delay;
    };
    place(tree.up);
    for (TreeEdge& edge : tree.down) place(edge);
    return tree;
  }
};

// The root sends a block to the left tree in even rounds, to the right tree in odd rounds.
struct Plan {
  explicit Plan(const Problem& problem, Rank position)
      : left{0, problem.ranks / 2},
        right{left.size, problem.ranks - 1 - left.size},
        left_tree(left.tree(position, 0, right.size > 0 ? 2 : 1)),
        right_tree(right.tree(position, right.size > 0 ? 1 : 0, 2)),
        blocks(
            Blocks::split(pipeline_blocks(problem, std::max(left_tree.rounds, right_tree.rounds) - 2), problem.count)),
        of_left(right.size > 0 ? (blocks.size() + 1) / 2 : blocks.size()) {}

  Half left;
  Half right;
  Tree left_tree;
  Tree right_tree;
  Blocks blocks;
  Rank of_left;  // the first so many blocks go down the left tree

  TreePipeline left_pipeline() const { return {left_tree, of_left}; }
  TreePipeline right_pipeline() const { return {right_tree, blocks.size() - of_left}; }
  std::size_t rounds_before_swap() const { return std::max(left_pipeline().rounds(), right_pipeline().rounds()); }
};

void add_swap(Round& round, const Plan& plan, const RootedOrder& order, Rank position) {
  const Segment left_half = plan.blocks.range(Buffer::output, 0, plan.of_left);
  const Segment right_half = plan.blocks.range(Buffer::output, plan.of_left, plan.blocks.size());
  const Rank left_over = plan.left.size > plan.right.size ? plan.left.size : 0;
  if (plan.right.contains(position)) {
    const Rank partner = order.rank_at(position - plan.left.size);
    round.send(partner, right_half);
    round.receive(partner, left_half);
  } else if (position == 0) {
    if (left_over > 0) round.send(order.rank_at(left_over), right_half);
  } else if (position == left_over) {
    round.receive(order.rank_at(0), right_half);
  } else {
    const Rank partner = order.rank_at(position + plan.left.size);
    round.send(partner, left_half);
    round.receive(partner, right_half);
  }
}

}  // namespace

Schedule split_binary(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  const Rank position = order.position_of(me);
  const Plan plan(problem, position);

  Schedule schedule;
  const auto play = [order, blocks = plan.blocks](const TreePipeline& pipeline, Rank first, std::size_t index,
                                                  Round& round) {
    const auto block = [&](Rank of_half) { return blocks.block(Buffer::output, first + of_half); };
    if (const auto send = pipeline.to_child(index)) round.send(order.rank_at(send.peer), block(send.block));
    if (const auto receive = pipeline.from_parent(index)) {
      round.receive(order.rank_at(receive.peer), block(receive.block));
    }
  };
  schedule.add_rounds(plan.rounds_before_swap(), [play, left = plan.left_pipeline(), right = plan.right_pipeline(),
                                                  first = plan.of_left](std::size_t index, Round& round) {
    play(left, 0, index, round);
    play(right, first, index, round);
  });
  if (problem.ranks > 1) add_swap(schedule.add_round(), plan, order, position);
  return schedule;
}

Cost split_binary_cost(const Problem& problem) {
  if (problem.ranks == 1) return {};
  const Plan plan(problem, 0);
  const auto rounds = static_cast<Count>(plan.rounds_before_swap());
  const Count block = problem.count / plan.blocks.size();
  const Count of_right = plan.blocks.size() - plan.of_left;
  const Count messages = Count{plan.left.size} * plan.of_left + plan.right.size * of_right;
  Cost cost{rounds, rounds * block, (problem.ranks - 1) * problem.count, 0, messages};
  cost.overlapped = std::max<Count>(rounds - std::max(plan.left_tree.rounds, plan.right_tree.rounds), 0);
  const Count swaps = plan.right.size + (of_right > 0 ? plan.left.size : 0);
  if (plan.right.size > 0) cost = cost + Cost{1, plan.of_left * block, 0, 0, swaps};
  return cost;
}

}  // namespace cohort::bcast
