// SPDX-License-Identifier: Apache-2.0
// Inclusive or exclusive prefix along two binary trees for machines whose ranks send or receive, but not both at once.
// Ranks form couples that act as one node of prefix/two_tree and hand over to each other what came in.
// Cost: at most (4 n + 8 log2 p) (alpha + (beta + gamma) m / n) with n blocks: the limit for long vectors is 4 beta m,
// twice that of prefix/two_tree with full duplex, and no rank sends and receives in one round. Without full duplex,
// prefix/two_tree takes 5 beta m and prefix/pipelined_binary 6 beta m (1 GiB on 16 to 1,001 simulated ranks). Fewer
// than four ranks form a chain. Any number of ranks; the operands' order is kept.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 5.2; see collectives/patterns/pipelined_prefix_of_couples.hpp.
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/pipelined_prefix_of_couples.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {

Schedule two_tree_couples(const Problem& problem, Rank me) {
  if (problem.ranks >= PipelinedPrefixOfCouples::fewest_ranks) return PipelinedPrefixOfCouples::schedule(problem, me);
  return problem.operation == Operation::prefix ? chain(problem, me) : exclusive_prefix::chain(problem, me);
}

Cost two_tree_couples_cost(const Problem& problem) {
  if (problem.ranks >= PipelinedPrefixOfCouples::fewest_ranks) return PipelinedPrefixOfCouples::cost(problem);
  return problem.operation == Operation::prefix ? costs::chain(problem) : exclusive_prefix::chain_cost(problem);
}

}  // namespace cohort::prefix
