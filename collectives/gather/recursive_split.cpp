// Gather up the tree of recursive halving: the scatter played backward.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both.
// Source: Watts 1994; CCL section 4.2 (minimum spanning tree).
#include "collectives/recursive_split.hpp"
#include "collectives/gather/gather.hpp"

namespace cohort::gather {

Schedule recursive_split(const Problem& problem, Rank me) {
  const SplitTree tree(problem.ranks, problem.root, me);
  Schedule schedule;
  const SubtreeBlocks blocks(tree, problem.blocks, me, Buffer::output, Buffer::input, schedule);

  std::size_t child = tree.down.size();
  for (int level = tree.levels - 1; level >= 0; --level) {
    Round& round = schedule.add_round();
    if (child > 0 && tree.down[child - 1].level == level) {
      const SplitEdge& edge = tree.down[--child];
      round.receive(edge.child, blocks.of_child(edge));
    }
    if (!tree.is_root && tree.up.level == level) {
      round.send(tree.up.parent, blocks.of_all());
    }
  }
  if (tree.is_root) schedule.add_round().copy(problem.blocks.block(Buffer::output, me), blocks.own());
  return schedule;
}

}  // namespace cohort::gather
