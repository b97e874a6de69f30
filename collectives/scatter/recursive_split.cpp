// Scatter down the tree of recursive halving: each message holds the blocks of a whole subtree, which lie side by side.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both.
// Source: Watts 1994; CCL section 4.2 (minimum spanning tree).
#include "collectives/recursive_split.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule recursive_split(const Problem& problem, Rank me) {
  const SplitTree tree(problem.ranks, problem.root, me);
  const Blocks& blocks = problem.blocks;
  const Segment mine{Buffer::output, 0, blocks.count(me)};

  Schedule schedule;
  const Segment passing = schedule.add_scratch(
      tree.is_root || tree.down.empty() ? 0 : blocks.range(Buffer::scratch, tree.up.first, tree.up.last).count);
  // Where blocks first ... last - 1 stand on this rank.
  const auto place = [&](Rank first, Rank last) {
    Segment range = blocks.range(tree.is_root ? Buffer::input : Buffer::scratch, first, last);
    if (!tree.is_root) range.offset += passing.offset - blocks.offset(tree.up.first);
    return range;
  };

  std::size_t child = 0;
  for (int level = 0; level < tree.levels; ++level) {
    Round& round = schedule.add_round();
    if (!tree.is_root && tree.up.level == level) {
      Segments arrival;
      arrival.add(place(tree.up.first, me));
      arrival.add(mine);
      arrival.add(place(me + 1, tree.up.last));
      round.receive(tree.up.parent, arrival);
    }
    if (child < tree.down.size() && tree.down[child].level == level) {
      const SplitEdge& edge = tree.down[child++];
      round.send(edge.child, place(edge.first, edge.last));
    }
  }
  if (tree.is_root) schedule.add_round().copy(mine, blocks.block(Buffer::input, me));
  return schedule;
}

}  // namespace cohort::scatter
