// Reduction along two binary trees at once: bcast/two_tree played backward, with a combination wherever the broadcast
// sends. Both trees are numbered in order, so that operands keep their order if the root is at an end. With
// an operator that commutes any rank may be the root.
// Cost: (n + d) (alpha + (beta + gamma) m / n) with n blocks, where d is at most 2 ceil(log2 p): the limit for long
// vectors is (beta + gamma) m, half of what a pipelined binary tree takes.
// If an operator that does not commute meets an even number of ranks, the trees have an even number of ranks below one
// more, which is last in the order: a round more.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 4.2; see collectives/two_trees.hpp.
#include <algorithm>

#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/slots.hpp"
#include "collectives/two_tree_pipeline.hpp"

namespace cohort::reduce {
namespace {

TwoTrees trees_of(const Problem& problem) {
  return {problem.ranks - 1, problem.commutative ? TwoTrees::Order::any : TwoTrees::Order::kept};
}

class Reduction {
 public:
  Reduction(Schedule& schedule, const Problem& problem, const TwoTrees& trees, Rank me)
      : blocks_(Blocks::split(two_tree_blocks(problem, trees), problem.count)),
        order_{problem.ranks, problem.root},
        pipeline_(trees, order_.position_of(me), blocks_.size()),
        operand_(operand_buffer(problem, me)),
        is_root_(me == problem.root),
        root_is_last_(problem.root != 0),
        sums_(schedule, is_root_ ? 0 : slots(), blocks_.largest()),
        received_(schedule, slots(), blocks_.largest()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  void write(std::size_t index, Round& round) const {
    const std::size_t forward = rounds() - 1 - index;
    if (const auto upward = pipeline_.in(forward)) {
      const Rank block = reversed(upward.block);
      round.send(order_.rank_at(upward.line->node), has_children(*upward.line) ? sum(block) : operand(block));
    }
    if (const auto downward = pipeline_.out(forward)) {
      const Rank block = reversed(downward.block);
      const Segment own = operand(block);
      const Segment result = sum(block);
      const bool into_sum = own != result && pipeline_.is_last_child(*downward.line);
      const Segment arrival = into_sum ? result : received_.at(block, result.count);
      round.receive(order_.rank_at(downward.line->node), arrival);
      const bool child_is_right = is_root_ ? !root_is_last_ : downward.line->child_is_right;
      const Segment& other = into_sum ? own : arrival;
      child_is_right != into_sum ? round.combine_right(result, other) : round.combine_left(result, other);
    }
  }

 private:
  // Half of them are used by either tree, which is enough to post receives ahead.
  Count slots() const { return std::min<Count>(blocks_.size(), 4 * Slots::usual); }

  // Blocks become complete from the first to the last, so that what follows can begin with the first.
  Rank reversed(Rank block) const { return blocks_.size() - 1 - block; }

  bool has_children(const TwoTreePipeline::Line& up) const { return pipeline_.has_children(up.tree); }
  Segment operand(Rank block) const { return blocks_.block(operand_, block); }
  Segment sum(Rank block) const {
    return is_root_ ? blocks_.block(Buffer::output, block) : sums_.at(block, blocks_.count(block));
  }

  Blocks blocks_;
  RootedOrder order_;
  TwoTreePipeline pipeline_;
  Buffer operand_;
  bool is_root_;
  bool root_is_last_;
  Slots sums_;
  Slots received_;
};

}  // namespace

Schedule two_tree(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) {
    if (!problem.in_place) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
    return schedule;
  }
  const Reduction reduction(schedule, problem, trees_of(problem), me);
  schedule.add_rounds(reduction.rounds(),
                      [reduction](std::size_t index, Round& round) { reduction.write(index, round); });
  return schedule;
}

Cost two_tree_cost(const Problem& problem) {
  return problem.ranks == 1 ? Cost{} : costs::two_tree(problem, trees_of(problem));
}

}  // namespace cohort::reduce
