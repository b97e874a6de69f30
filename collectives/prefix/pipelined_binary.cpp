// SPDX-License-Identifier: Apache-2.0
// Inclusive or exclusive prefix along one binary tree, pipelined both ways: while later blocks still go up, the results
// of earlier ones come down. The edges have three colours, used in turn. A block that goes up meets one that comes
// down.
// Cost: about (3 n + 4 log2 p) (alpha + beta m / n) with n blocks: the limit for long vectors is 3 beta m.
// Parameter: blocks.
// Source: Sanders and Traeff 2006, as told by Sanders, Speck and Traeff 2009, sections 2 and 4.3; see
// collectives/patterns/pipelined_prefix.hpp.
#include "collectives/patterns/pipelined_prefix.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {

Schedule pipelined_binary(const Problem& problem, Rank me) { return PipelinedPrefix::schedule(problem, me, 1); }

Cost pipelined_binary_cost(const Problem& problem) { return PipelinedPrefix::cost(problem, 1); }

}  // namespace cohort::prefix
