// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange by the digits of the distance to the base r, with blocks of any sizes. A rank does
// not know beforehand how long the blocks are that it passes on for others. So a first phase exchanges the sizes in the
// same way, one number a block, and keeps a table of what passes through. This is the second phase, which has that
// table.
// Cost: the first phase is index/radix with blocks of one number. This one takes (r - 1) log_r p messages; as in
// index/radix, each block travels once for every digit of its distance that is not zero.
// Scratch memory: all that passes through this rank.
// Parameter: radix, the same in both phases; otherwise the root of p.
// Source: the radix as in CCL section 4.2; two phases as in work on non-uniform Bruck algorithms (Fan et al. 2022).
#include <stdexcept>

#include "collectives/index/hops.hpp"
#include "collectives/index/index.hpp"
#include "collectives/peers.hpp"

namespace cohort::index {
namespace {

// The radix does not depend on the sizes, because all ranks must take the same one.
Count square_root_radix(const Problem& problem) {
  const Count wished = problem.parameters.get("radix", 0);
  if (wished > 0) return wished;
  Count radix = 2;
  while (radix * radix < problem.ranks) ++radix;
  return radix;
}

}  // namespace

Schedule transit_sizes(const Problem& problem, Rank me) {
  Schedule schedule;
  Count entries = 0;
  add_hops(
      schedule, radix_hops(problem.ranks, square_root_radix(problem)), problem.ranks, me,
      [&](Rank slot) {
        return Segment{Buffer::input, modulo(std::int64_t{me} + slot, problem.ranks), 1};
      },
      [&](Rank, int) {
        return Segment{Buffer::output, entries++, 1};
      });
  return schedule;
}

Count transit_entries(const Problem& problem) { return radix_slots(problem.ranks, square_root_radix(problem)); }

Schedule two_phase_radix(const Problem& problem, Rank me) {
  const std::vector<Hop> hops = radix_hops(problem.ranks, square_root_radix(problem));
  const Blocks& in = problem.blocks;
  const Blocks& out = problem.receive_blocks;
  if (problem.transit_sizes.empty() && in.equal() && out.equal()) return in_hops(hops, problem, me);
  if (static_cast<Count>(problem.transit_sizes.size()) != transit_entries(problem)) {
    throw std::invalid_argument("the sizes in transit are those of another problem");
  }
  Schedule schedule;
  schedule.add_round().copy(out.block(Buffer::output, me), in.block(Buffer::input, me));
  auto size = problem.transit_sizes.begin();
  add_hops(
      schedule, hops, problem.ranks, me,
      [&](Rank slot) { return in.block(Buffer::input, modulo(std::int64_t{me} + slot, problem.ranks)); },
      [&](Rank slot, int hops_left) {
        const Count count = *size++;
        if (hops_left > 0) return schedule.add_scratch(count);
        return out.block(Buffer::output, modulo(std::int64_t{me} - slot, problem.ranks));
      });
  return schedule;
}

Cost two_phase_radix_cost(const Problem& problem) { return radix_cost_with(problem, square_root_radix(problem)); }

}  // namespace cohort::index
