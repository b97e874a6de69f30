// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction in the fewest rounds with one vector a message, for any number of ranks. The operator must
// commute. Every rank r knows the result of a window of the ranks r+1 ... r+s modulo p. In each round it receives the
// window of the rank right after its own window. So s becomes 2s, or 2s + 1 if that rank adds its own operand: the
// binary digits of p - 1 say which.
// Cost: ceil(log2 p) (alpha + beta m) + about (ceil(log2 p) + ones(p - 1) - 1) gamma m.
// Source: Bar-Noy, Kipnis and Schieber 1993 ("census"; CCL's reference for combine).
#include <bit>

#include "collectives/combine/combine.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/peers.hpp"

namespace cohort::combine {

Schedule census(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const Segment operand = problem.all(operand_buffer(problem, me));
  const Segment result = problem.all();

  Schedule schedule;
  const Segment window = operand == result ? schedule.add_scratch(problem.count) : result;
  const Segment with_own = schedule.add_scratch(problem.count);
  const Slots received(schedule, 2, problem.count);

  const auto digits = static_cast<std::uint32_t>(p - 1);
  std::int64_t length = 0;
  Count arrivals = 0;
  for (int bit = std::bit_width(digits) - 1; bit >= 0; --bit) {
    const int own = digits >> bit & 1;
    const bool begun = length > 0;
    Round& round = schedule.add_round();
    round.send(modulo(me - length - own, p), own == 0 ? window : begun ? with_own : operand);
    const Segment arrival = begun ? received.at(arrivals++, problem.count) : window;
    round.receive(modulo(me + length + own, p), arrival);
    if (begun) round.combine_right(window, arrival);
    length = 2 * length + own;
    if (bit > 0 && (digits >> (bit - 1) & 1) != 0) {
      round.copy(with_own, window);
      round.combine_left(with_own, operand);
    }
  }
  Round& last = schedule.add_round();
  if (p == 1) {
    if (operand != result) last.copy(result, operand);
  } else {
    last.combine_left(result, operand == result ? window : operand);
  }
  return schedule;
}

Cost census_cost(const Problem& problem) {
  const Count q = ceil_log2(problem.ranks);
  const Count ones = std::popcount(static_cast<std::uint32_t>(problem.ranks - 1));
  // All arrivals but the first are combined. The own operand is combined for each digit of one but the first, and at
  // the end.
  const Count combined = q == 0 ? 0 : q - 1 + ones - 1 + 1;
  return {q, q * problem.count, problem.ranks * q * problem.count, combined * problem.count, problem.ranks * q};
}

}  // namespace cohort::combine
