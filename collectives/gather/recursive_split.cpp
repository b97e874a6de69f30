// Gather up the tree of recursive halving: the scatter played backward.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both.
// Source: Watts 1994; CCL section 4.2 (minimum spanning tree).
#include "collectives/recursive_split.hpp"
#include "collectives/gather/gather.hpp"

namespace cohort::gather {

Schedule recursive_split(const Problem& problem, Rank me) {
  const SplitTree tree(problem.ranks, problem.root, me);
  const Blocks& blocks = problem.blocks;
  const Segment mine{Buffer::input, 0, blocks.count(me)};

  Schedule schedule;
  const Segment passing = schedule.add_scratch(
      tree.is_root || tree.down.empty() ? 0 : blocks.range(Buffer::scratch, tree.up.first, tree.up.last).count);
  // Where blocks first ... last - 1 stand on this rank.
  const auto place = [&](Rank first, Rank last) {
    Segment range = blocks.range(tree.is_root ? Buffer::output : Buffer::scratch, first, last);
    if (!tree.is_root) range.offset += passing.offset - blocks.offset(tree.up.first);
    return range;
  };

  std::size_t child = tree.down.size();
  for (int level = tree.levels - 1; level >= 0; --level) {
    Round& round = schedule.add_round();
    if (child > 0 && tree.down[child - 1].level == level) {
      const SplitEdge& edge = tree.down[--child];
      round.receive(edge.child, place(edge.first, edge.last));
    }
    if (!tree.is_root && tree.up.level == level) {
      Segments departure;
      departure.add(place(tree.up.first, me));
      departure.add(mine);
      departure.add(place(me + 1, tree.up.last));
      round.send(tree.up.parent, departure);
    }
  }
  if (tree.is_root) schedule.add_round().copy(blocks.block(Buffer::output, me), mine);
  return schedule;
}

}  // namespace cohort::gather
