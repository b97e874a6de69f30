// SPDX-License-Identifier: Apache-2.0
// Inclusive or exclusive prefix along two binary trees at once, each with every second block, pipelined both ways. The
// inner ranks of one tree are the leaves of the other, and every rank sends and receives in (nearly) every round.
// Cost: at most (2 n + 4 log2 p) (alpha + (beta + gamma) m / n) with n blocks: the limit for long vectors is 2 beta m.
// One pipelined binary tree takes 3 beta m; a chain takes beta m, but p - 2 rounds more. With an odd number of ranks
// the last one stands above both trees.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 4.3; see collectives/patterns/pipelined_prefix.hpp.
#include "collectives/patterns/pipelined_prefix.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {

Schedule two_tree(const Problem& problem, Rank me) { return PipelinedPrefix::schedule(problem, me, 2); }

Cost two_tree_cost(const Problem& problem) { return PipelinedPrefix::cost(problem, 2); }

}  // namespace cohort::prefix
