// SPDX-License-Identifier: Apache-2.0
// Broadcast along two binary trees at once, as in bcast/two_tree. Here the second tree is not the mirror image of the
// first, but the first shifted by one place. So the long edges of both lie side by side. The authors recommend that
// where few links join the halves of the network.
// Cost: (n + d) (alpha + beta m / n) with n blocks, where d is at most 2 ceil(log2 p) - 1: the limit for long vectors
// is beta m, half of what a pipelined binary tree takes. Any root and any number of ranks. No way is known for a rank
// to compute the colours of its own edges alone: every rank colours both trees, in O(p) steps; bcast/two_tree takes
// O(log p).
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, sections 3 ("shifting") and 4.1; see collectives/patterns/shifted_trees.hpp.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/shifted_trees.hpp"
#include "collectives/patterns/two_tree_pipeline.hpp"
#include "collectives/peers.hpp"

namespace cohort::bcast {

Schedule two_tree_shifted(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) return schedule;
  const auto trees = ShiftedTrees::of(problem.ranks - 1);
  const auto blocks = Blocks::split(pipeline_blocks(problem, trees->delay()), problem.count);
  const RootedOrder order{problem.ranks, problem.root};
  const TwoTreePipeline pipeline(*trees, order.position_of(me), blocks.size());
  pipeline.add_broadcast(schedule, order, blocks);
  return schedule;
}

Cost two_tree_shifted_cost(const Problem& problem) {
  if (problem.ranks == 1) return {};
  const auto trees = ShiftedTrees::of(problem.ranks - 1);
  const Count blocks = pipeline_blocks(problem, trees->delay());
  BusyRounds busy(2);
  trees->add_busy(busy, (blocks + 1) / 2, blocks / 2);
  const Count rounds = busy.count();
  const Count others = problem.ranks - 1;
  return {rounds,
          rounds * (problem.count / blocks),
          others * problem.count,
          0,
          others * blocks,
          0,
          std::max<Count>(rounds - trees->delay() - 1, 0)};
}

}  // namespace cohort::bcast
