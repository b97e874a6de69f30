// SPDX-License-Identifier: Apache-2.0
// Reduction along two binary trees for machines whose ranks send or receive, but not both at once:
// bcast/two_tree_couples played backward. The lower rank of a couple gathers the operands from the left, and the upper
// rank those from the right. Then one gives its part to the other. So operands keep their order if the root is at an
// end. With an operator that commutes any rank may be the root.
// Cost: 2 (n + d) (alpha + (beta + gamma) m / n) with n blocks, where d is at most 2 log2 p.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 5.2; the order: ours, see collectives/patterns/couple_pipeline.hpp.
#include "collectives/patterns/backward_pipeline.hpp"
#include "collectives/patterns/couple_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

TwoTrees::Order order_of(const Problem& problem) {
  return problem.commutative ? TwoTrees::Order::any : TwoTrees::Order::kept;
}

class CouplesPlan {
 public:
  CouplesPlan(const Problem& problem, Rank me)
      : blocks_(problem, couple_blocks(problem, order_of(problem)), me),
        pipeline_(problem.ranks, problem.root == 0, blocks_.position(), order_of(problem), blocks_.size()),
        is_root_(me == problem.root) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  std::optional<BackwardMove> received(std::size_t round) const {
    const auto move = pipeline_.in(round);
    if (!move) return {};
    return blocks_.move(move.peer, move.block, !pipeline_.has_child(move.tree) && !pipeline_.has_parent(move.tree));
  }

  std::optional<BackwardMove> sent(std::size_t round) const {
    const auto move = pipeline_.out(round);
    if (!move) return {};
    return blocks_.move(move.peer, move.block, is_first(move), move.peer_is_right ? Side::right : Side::left);
  }

  ScratchSlots sums() const { return blocks_.slots(); }
  ScratchSlots arrivals() const { return blocks_.slots(); }

 private:
  // A couple receives from its children before one of its ranks sends to the other. At the root, the partner's message
  // comes before those of the trees.
  bool is_first(const CouplePipeline::Move& arrival) const {
    return is_root_ ? arrival.with_partner || !pipeline_.has_partner()
                    : !arrival.with_partner || !pipeline_.has_child(arrival.tree);
  }

  BackwardBlocks blocks_;
  CouplePipeline pipeline_;
  bool is_root_;
};

}  // namespace

Schedule two_tree_couples(const Problem& problem, Rank me) {
  return problem.ranks == 1 ? alone(problem) : play_backward(problem, CouplesPlan(problem, me), me);
}

Cost two_tree_couples_cost(const Problem& problem) { return costs::two_tree_couples(problem, order_of(problem)); }

}  // namespace cohort::reduce
