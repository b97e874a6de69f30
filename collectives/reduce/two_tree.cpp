// SPDX-License-Identifier: Apache-2.0
// Reduction along two binary trees at once: bcast/two_tree played backward, with a combination for each message that
// the broadcast sends. Both trees are numbered in order, so operands keep their order if the root is at an end. With an
// operator that commutes any rank may be the root.
// Cost: (n + d) (alpha + (beta + gamma) m / n) with n blocks, where d is at most 2 ceil(log2 p): the limit for long
// vectors is (beta + gamma) m, half of what a pipelined binary tree takes.
// If the operator does not commute and the number of ranks is even, one more rank stands above trees of an even number
// of ranks, last in the order: that takes a round more.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 4.2; see collectives/patterns/two_trees.hpp.
#include "collectives/patterns/backward_pipeline.hpp"
#include "collectives/patterns/two_tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

TwoTrees trees_of(const Problem& problem) {
  return {problem.ranks - 1, problem.commutative ? TwoTrees::Order::any : TwoTrees::Order::kept};
}

class TwoTreePlan {
 public:
  TwoTreePlan(const Problem& problem, const TwoTrees& trees, Rank me)
      : blocks_(problem, two_tree_blocks(problem, trees), me), pipeline_(trees, blocks_.position(), blocks_.size()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  std::optional<BackwardMove> received(std::size_t round) const {
    const auto move = pipeline_.in(round);
    if (!move) return {};
    return blocks_.move(move.line->node, move.block, !pipeline_.has_children(move.line->tree));
  }

  std::optional<BackwardMove> sent(std::size_t round) const {
    const auto move = pipeline_.out(round);
    if (!move) return {};
    return blocks_.move(move.line->node, move.block, pipeline_.is_last_child(*move.line),
                        move.line->child_is_right ? Side::right : Side::left);
  }

  ScratchSlots sums() const { return blocks_.slots(); }
  ScratchSlots arrivals() const { return blocks_.slots(); }

 private:
  BackwardBlocks blocks_;
  TwoTreePipeline pipeline_;
};

}  // namespace

Schedule two_tree(const Problem& problem, Rank me) {
  return problem.ranks == 1 ? alone(problem) : play_backward(problem, TwoTreePlan(problem, trees_of(problem), me), me);
}

Cost two_tree_cost(const Problem& problem) {
  return problem.ranks == 1 ? Cost{} : costs::two_tree(problem, trees_of(problem));
}

}  // namespace cohort::reduce
