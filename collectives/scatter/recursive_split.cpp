// Scatter down the tree of recursive halving: each message holds the blocks of a whole subtree, which lie side by side.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both.
// Source: Watts 1994; CCL section 4.2 (minimum spanning tree).
#include "collectives/recursive_split.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule recursive_split(const Problem& problem, Rank me) {
  const SplitTree tree(problem.ranks, problem.root, me);
  Schedule schedule;
  const SubtreeBlocks blocks(tree, problem.blocks, me, Buffer::input, Buffer::output, schedule);

  std::size_t child = 0;
  for (int level = 0; level < tree.levels; ++level) {
    Round& round = schedule.add_round();
    if (!tree.is_root && tree.up.level == level) {
      round.receive(tree.up.parent, blocks.of_all());
    }
    if (child < tree.down.size() && tree.down[child].level == level) {
      const SplitEdge& edge = tree.down[child++];
      round.send(edge.child, blocks.of_child(edge));
    }
  }
  if (tree.is_root) schedule.add_round().copy(blocks.own(), problem.blocks.block(Buffer::input, me));
  return schedule;
}

}  // namespace cohort::scatter
