// SPDX-License-Identifier: Apache-2.0
// Scatter of unequal blocks: the tree of recursive splitting, cut by the blocks' sizes. At each split the root's side
// has at least as much left to send as the other side, by as little as possible. So the root, which holds all blocks,
// finishes last and never waits. If a split in the middle differs by at most alpha / beta bytes, it is taken for its
// fewer rounds.
// Cost: with equal blocks about that of scatter/recursive_split. In general beta times what the root sends, and a
// start-up for each of its messages: about m beta also if one rank gets nearly everything, where halving sends m up to
// ceil(log2 p) times.
// Source: Watts 1994, section 7.
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule weighted_split(const Problem& problem, Rank me) {
  return scatter_down({problem.ranks, problem.root, me, SplitRule::by_blocks(problem)}, problem, me);
}

}  // namespace cohort::scatter
