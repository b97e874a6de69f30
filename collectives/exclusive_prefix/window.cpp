// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix in the fewest rounds. Every rank r knows the result of a window of s ranks right before it. In each
// round it receives the window of the rank before its own window. So s becomes 2s, or 2s + 1 if that rank adds its own
// operand. The binary digits of any target >= p - 1 give a valid sequence. A digit of one costs a combination, so the
// target with the fewest ones is taken.
// Cost: ceil(log2 p) (alpha + beta m) + about (ceil(log2 p) + ones(target) - 2) gamma m.
// Source: the window as in Bar-Noy, Kipnis and Schieber 1993; Traeff's 2026 algorithms (arXiv 2604.25667) are two fixed
// choices of the target; the choice is ours.
#include <algorithm>
#include <bit>

#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/peers.hpp"

namespace cohort::exclusive_prefix {

Rank window_target(Rank ranks) {
  const auto least = static_cast<std::uint64_t>(ranks - 1);
  std::uint64_t best = least;
  for (int cleared = 1; cleared < ceil_log2(ranks); ++cleared) {
    const std::uint64_t candidate = ((least >> cleared) + 1) << cleared;
    if (std::bit_width(candidate) == std::bit_width(least) && std::popcount(candidate) < std::popcount(best)) {
      best = candidate;
    }
  }
  return static_cast<Rank>(best);
}

Schedule window_to(Rank whole, const Problem& problem, Rank me) {
  const Segment operand = problem.all(operand_buffer(problem, me));
  const bool in_place = operand == problem.all();

  Schedule schedule;
  const Segment before = in_place ? schedule.add_scratch(problem.count) : problem.all();  // the window's result
  const Segment with_own = schedule.add_scratch(problem.count);
  const Slots received(schedule, 2, problem.count);

  const auto target = static_cast<std::uint32_t>(whole);
  std::int64_t length = 0;
  bool begun = false;
  Count arrivals = 0;
  for (int bit = std::bit_width(target) - 1; bit >= 0; --bit) {
    const int own = target >> bit & 1;
    const std::int64_t skip = length + own;
    Round& round = schedule.add_round();
    if (me + skip < problem.ranks) {
      const auto to = static_cast<Rank>(me + skip);
      if (own != 0) {
        round.send(to, begun ? with_own : operand);
      } else if (begun) {
        round.send(to, before);
      }
    }
    const std::int64_t from = me - skip;
    if (from > 0 || (from == 0 && own != 0)) {
      const Segment arrival = begun ? received.at(arrivals++, problem.count) : before;
      round.receive(static_cast<Rank>(from), arrival);
      if (begun) round.combine_left(before, arrival);
      begun = true;
    }
    length = 2 * length + own;
    const bool next_own = bit > 0 && (target >> (bit - 1) & 1) != 0;
    if (next_own && begun && me + length + 1 < problem.ranks) {
      round.copy(with_own, before);
      round.combine_right(with_own, operand);
    }
  }
  if (in_place && me > 0) schedule.add_round().copy(problem.all(), before);
  return schedule;
}

Cost window_to_cost(Rank whole, const Problem& problem) {
  const auto target = static_cast<std::uint32_t>(whole);
  const Count p = problem.ranks;
  Cost cost;
  Count length = 0;
  Count chain_end = 0;  // the last rank of the longest chain of messages: from rank 0 on, by all distances that fit
  for (int bit = std::bit_width(target) - 1; bit >= 0; --bit) {
    const Count own = target >> bit & 1;
    const Count lowest_receiver = length + 1;
    if (lowest_receiver >= p) break;
    chain_end += length + own;
    if (chain_end >= p) ++cost.overlapped;
    const bool begun = length > 0;
    length = 2 * length + own;
    const bool next_own = bit > 0 && (target >> (bit - 1) & 1) != 0;
    // Ranks below `end_of_senders` that have received combine with their own operand before they send.
    const Count end_of_senders = next_own ? p - length - 1 : 0;
    const Count combinations = (begun ? 1 : 0) + (lowest_receiver < end_of_senders ? 1 : 0);
    const Count for_senders_alone = end_of_senders > 1 ? 1 : 0;
    cost = cost + Cost{1, problem.count, (p - lowest_receiver) * problem.count,
                       std::max(combinations, for_senders_alone) * problem.count, p - lowest_receiver};
  }
  return cost;
}

Schedule window(const Problem& problem, Rank me) { return window_to(window_target(problem.ranks), problem, me); }

Cost window_cost(const Problem& problem) { return window_to_cost(window_target(problem.ranks), problem); }

}  // namespace cohort::exclusive_prefix
