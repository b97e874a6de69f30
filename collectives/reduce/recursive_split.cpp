// Reduction up the tree of recursive halving. Every subtree is a range of ranks, so the operands keep their order with
// any root.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m).
// Source: Watts 1994; see collectives/recursive_split.hpp.
#include "collectives/recursive_split.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/slots.hpp"

namespace cohort::reduce {

Schedule recursive_split(const Problem& problem, Rank me) {
  const SplitTree tree(problem.ranks, problem.root, me);
  const Segment operand = problem.all(operand_buffer(problem, me));

  Schedule schedule;
  const Segment sum = tree.is_root ? problem.all() : schedule.add_scratch(tree.down.empty() ? 0 : problem.count);
  const Slots received(schedule, tree.down.size() > 1 || operand == sum ? 2 : 0, problem.count);

  Segment partial = operand;  // of the ranks of my subtree that I have heard of
  Count arrivals = 0;
  std::size_t child = tree.down.size();
  for (int level = tree.levels - 1; level >= 0; --level) {
    Round& round = schedule.add_round();
    if (!tree.is_root && tree.up.level == level) round.send(tree.up.parent, partial);
    if (child == 0 || tree.down[child - 1].level != level) continue;

    const SplitEdge& edge = tree.down[--child];
    const bool into_sum = partial != sum;
    const Segment arrival = into_sum ? sum : received.at(arrivals++, problem.count);
    round.receive(edge.child, arrival);
    // Both orders of operands, and both places where the sum may stand already.
    const Segment& other = into_sum ? partial : arrival;
    const bool other_is_right = (edge.first > me) != into_sum;
    other_is_right ? round.combine_right(sum, other) : round.combine_left(sum, other);
    partial = sum;
  }
  if (problem.ranks == 1 && operand != problem.all()) schedule.add_round().copy(problem.all(), operand);
  return schedule;
}

}  // namespace cohort::reduce
