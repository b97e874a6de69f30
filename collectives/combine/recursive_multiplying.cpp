// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction among r ranks at once. In round k the ranks that differ in digit k of their number, to base r,
// send each other their partial results. With radix 2 this is recursive doubling.
// If p is not a power of r, the largest power below it takes part. The others fold their operands into a neighbour
// first and receive the result last. Every partial result is one of a range of ranks, so the operands keep their order.
// Cost: k = floor(log_r p) rounds of r - 1 messages of m for each rank; if p is not a power of r, one round more before
// and one after. Larger radices are for several ports, or for a latency that is long against the start-up.
// Scratch memory: r vectors.
// Parameter: radix.
// Source: CCL section 4.2 (butterfly); the radix as in MPICH's recursive multiplying.
#include <algorithm>

#include "collectives/combine/combine.hpp"
#include "collectives/patterns/folding.hpp"

namespace cohort::combine {
namespace {

// The largest power of the radix up to p.
Rank power_within(Rank p, Count radix) {
  Count power = 1;
  while (power * radix <= p) power *= radix;
  return static_cast<Rank>(power);
}

}  // namespace

Cost multiplying_cost(const Problem& problem, Count radix) {
  const Rank groups = power_within(problem.ranks, radix);
  const Folding folding(problem.ranks, groups, 0);
  Cost exchange;
  for (Count distance = 1; distance < groups; distance *= radix) {
    const Count sent = (radix - 1) * problem.count;
    exchange = exchange + Cost{1, sent, groups * sent, sent, groups * (radix - 1), radix - 2};
  }
  return folding.fold_cost(problem.count) + exchange + folding.unfold_cost(problem.count);
}

Schedule multiplying(const Problem& problem, Rank me, Count radix) {
  const Folding folding(problem.ranks, power_within(problem.ranks, radix), me);
  Schedule schedule;
  PartialResult partial(schedule, problem.all(operand_buffer(problem, me)), problem.all(), std::max<Count>(2, radix));

  folding.add_fold(schedule, partial);
  for (Count distance = 1; distance < folding.groups(); distance *= radix) {
    Round& round = schedule.add_round();
    if (!folding.leads()) continue;
    const Count digit = folding.group() / distance % radix;
    const auto peer = [&](Count other) {
      return folding.leader_of(static_cast<Rank>(folding.group() + (other - digit) * distance));
    };
    for (Count step = 1; step < radix; ++step) round.send(peer((digit + step) % radix), partial.standing());
    for (Count other = digit - 1; other >= 0; --other) partial.receive_left(round, peer(other));
    for (Count other = digit + 1; other < radix; ++other) partial.receive_right(round, peer(other));
  }
  if (folding.leads()) partial.finish(schedule);
  folding.add_unfold(schedule, problem.all());
  return schedule;
}

namespace {

// The fastest of some radices, for a rank whose messages leave one after the other.
Count radix_of(const Problem& problem) {
  static constexpr Count highest_tried = 16;
  Count best = 2;
  for (Count radix = 3; radix <= std::min<Count>(problem.ranks, highest_tried); ++radix) {
    const auto seconds_with = [&](Count tried) { return seconds_by_data(multiplying_cost(problem, tried), problem); };
    if (seconds_with(radix) < seconds_with(best)) best = radix;
  }
  return problem.parameters.get("radix", best);
}

}  // namespace

Schedule recursive_multiplying(const Problem& problem, Rank me) { return multiplying(problem, me, radix_of(problem)); }

Cost recursive_multiplying_cost(const Problem& problem) { return multiplying_cost(problem, radix_of(problem)); }

}  // namespace cohort::combine
