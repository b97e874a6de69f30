// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix by distances 1, 3, 7, 15, ...: exclusive_prefix/window with the target 2^q - 1, whose digits are all
// ones. In every round a rank sends its window's result combined with its own operand, so that the receiver's window
// grows from s to 2s + 1. That takes the fewest rounds for every number of ranks, but two combinations in all rounds
// except the first and the last.
// Cost: q (alpha + beta m) + at most (2 q - 3) gamma m, with q = ceil(log2 p).
// Source: folklore; see exclusive_prefix/window for targets that need fewer combinations.
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/peers.hpp"

namespace cohort::exclusive_prefix {
namespace {

Rank target(Rank ranks) { return static_cast<Rank>((std::int64_t{1} << ceil_log2(ranks)) - 1); }

}  // namespace

Schedule doubling(const Problem& problem, Rank me) { return window_to(target(problem.ranks), problem, me); }

Cost doubling_cost(const Problem& problem) { return window_to_cost(target(problem.ranks), problem); }

}  // namespace cohort::exclusive_prefix
