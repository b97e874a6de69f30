// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange by the digits of the distance to the base r. A block makes one hop for each digit of
// its distance that is not zero. It goes together with all blocks that have the same digit there.
// Cost: about (r - 1) log_r p alpha + (r - 1) / r log_r p beta m: r = 2 takes the fewest rounds, ceil(log2 p), and r =
// p the least volume. Equal blocks.
// Parameter: radix.
// Source: CCL section 4.2; Bruck et al. 1997.
#include <algorithm>

#include "collectives/index/hops.hpp"
#include "collectives/index/index.hpp"

namespace cohort::index {
namespace {

// The fastest of the radices up to the square root of p, and p.
Count radix_of(const Problem& problem) {
  const auto seconds_with = [&](Count radix) { return seconds_by_data(radix_cost_with(problem, radix), problem); };
  const Count wished = problem.parameters.get("radix", 0);
  if (wished > 0) return wished;
  Count best = std::max<Count>(problem.ranks, 2);
  for (Count radix = 2; radix * radix <= problem.ranks; ++radix) {
    if (seconds_with(radix) < seconds_with(best)) best = radix;
  }
  return best;
}

}  // namespace

Schedule radix(const Problem& problem, Rank me) {
  return in_hops(radix_hops(problem.ranks, radix_of(problem)), problem, me);
}

Cost radix_cost(const Problem& problem) { return radix_cost_with(problem, radix_of(problem)); }

}  // namespace cohort::index
