// SPDX-License-Identifier: Apache-2.0
// Broadcast along two binary trees for machines whose ranks send or receive, but not both at once. Ranks form couples
// that act as one node of bcast/two_tree. A rank that has received a block passes it on to its partner.
// Cost: 2 (n + d) (alpha + beta m / n) with n blocks, where d is at most 2 log2 p: the limit for long vectors is 2 beta
// m, which is the least possible without full duplex. With full duplex bcast/two_tree takes half of it. Any root and
// any number of ranks.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 5.2; see collectives/patterns/couple_pipeline.hpp.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/couple_pipeline.hpp"
#include "collectives/peers.hpp"

namespace cohort::bcast {

Schedule two_tree_couples(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) return schedule;
  const auto blocks = Blocks::split(couple_blocks(problem, TwoTrees::Order::any), problem.count);
  const RootedOrder order{problem.ranks, problem.root};
  const CouplePipeline pipeline(problem.ranks, true, order.position_of(me), TwoTrees::Order::any, blocks.size());
  schedule.add_rounds(pipeline.rounds(), [=](std::size_t index, Round& round) {
    if (const auto move = pipeline.out(index)) {
      round.send(order.rank_at(move.peer), blocks.block(Buffer::output, move.block));
    }
    if (const auto move = pipeline.in(index)) {
      round.receive(order.rank_at(move.peer), blocks.block(Buffer::output, move.block));
    }
  });
  return schedule;
}

Cost two_tree_couples_cost(const Problem& problem) { return costs::two_tree_couples(problem, TwoTrees::Order::any); }

}  // namespace cohort::bcast
