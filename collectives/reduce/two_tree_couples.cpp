// Reduction along two binary trees for machines whose ranks send or receive, but not both at once:
// bcast/two_tree_couples played backward. Of a couple, the lower rank gathers what comes from the left and the upper
// one what comes from the right; then one gives its part to the other. So operands keep their order if the root is at
// an end; with an operator that commutes any rank may be the root. Cost: 2 (n + d) (alpha + (beta + gamma) m / n) with
// n blocks, where d is at most 2 log2 p. Parameter: blocks, of both trees together. Source: Sanders, Speck and Traeff
// 2009, section 5.2; the order: ours, see collectives/couple_pipeline.hpp.
#include <algorithm>

#include "collectives/couple_pipeline.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/slots.hpp"

namespace cohort::reduce {
namespace {

TwoTrees::Order order_of(const Problem& problem) {
  return problem.commutative ? TwoTrees::Order::any : TwoTrees::Order::kept;
}

class Reduction {
 public:
  Reduction(Schedule& schedule, const Problem& problem, Rank me)
      : blocks_(Blocks::split(couple_blocks(problem, order_of(problem)), problem.count)),
        order_{problem.ranks, problem.root},
        pipeline_(problem.ranks, problem.root == 0, order_.position_of(me), order_of(problem), blocks_.size()),
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
      const bool has_arrivals = pipeline_.has_child(upward.tree) || pipeline_.has_parent(upward.tree);
      round.send(order_.rank_at(upward.peer), has_arrivals ? sum(block) : operand(block));
    }
    if (const auto downward = pipeline_.out(forward)) {
      const Rank block = reversed(downward.block);
      const Segment own = operand(block);
      const Segment result = sum(block);
      const bool into_sum = own != result && is_first(downward);
      const Segment arrival = into_sum ? result : received_.at(block, result.count);
      round.receive(order_.rank_at(downward.peer), arrival);
      const bool is_right = is_root_ ? !root_is_last_ : downward.peer_is_right;
      const Segment& other = into_sum ? own : arrival;
      is_right != into_sum ? round.combine_right(result, other) : round.combine_left(result, other);
    }
  }

 private:
  Count slots() const { return std::min<Count>(blocks_.size(), 4 * Slots::usual); }
  Rank reversed(Rank block) const { return blocks_.size() - 1 - block; }

  // A couple hears of its children before one tells the other; the root's partner comes before the trees.
  bool is_first(const CouplePipeline::Move& arrival) const {
    return is_root_ ? arrival.with_partner || !pipeline_.has_partner()
                    : !arrival.with_partner || !pipeline_.has_child(arrival.tree);
  }

  Segment operand(Rank block) const { return blocks_.block(operand_, block); }
  Segment sum(Rank block) const {
    return is_root_ ? blocks_.block(Buffer::output, block) : sums_.at(block, blocks_.count(block));
  }

  Blocks blocks_;
  RootedOrder order_;
  CouplePipeline pipeline_;
  Buffer operand_;
  bool is_root_;
  bool root_is_last_;
  Slots sums_;
  Slots received_;
};

}  // namespace

Schedule two_tree_couples(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) {
    if (!problem.in_place) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
    return schedule;
  }
  const Reduction reduction(schedule, problem, me);
  schedule.add_rounds(reduction.rounds(),
                      [reduction](std::size_t index, Round& round) { reduction.write(index, round); });
  return schedule;
}

Cost two_tree_couples_cost(const Problem& problem) { return costs::two_tree_couples(problem, order_of(problem)); }

}  // namespace cohort::reduce
