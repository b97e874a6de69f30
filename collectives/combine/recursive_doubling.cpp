// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction by pairs: in round k the ranks that differ in binary digit k of their number swap their partial
// results. It is recursive multiplying with radix 2. If p is no power of two, neighbours fold first. The operands keep
// their order.
// Cost: q (alpha + (beta + gamma) m) for p = 2^q; otherwise with the power of two below p, and one round more before
// and one after.
// Source: CCL section 4.2 (butterfly).
#include "collectives/combine/combine.hpp"

namespace cohort::combine {

Schedule recursive_doubling(const Problem& problem, Rank me) { return multiplying(problem, me, 2); }

Cost recursive_doubling_cost(const Problem& problem) { return multiplying_cost(problem, 2); }

}  // namespace cohort::combine
