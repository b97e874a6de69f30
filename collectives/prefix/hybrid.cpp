// SPDX-License-Identifier: Apache-2.0
// Inclusive or exclusive prefix in contiguous groups of 2^k ranks. A tree in every group gathers the group's result at
// its last rank. These ranks compute their prefix by doubling. Then the results come down the trees. With k = 0 it is
// prefix/doubling, with k = ceil(log2 p) prefix/tree. A k in between takes fewer messages than doubling and fewer
// rounds than the tree.
// Cost: up to (ceil(log2 p) + k) (alpha + (beta + gamma) m); the exclusive one combines twice a round. The total volume
// goes down from about p log2 p vectors (k = 0) to 2 p.
// Parameter: k; by default the fastest.
// Source: CCL, section 4.2: the trees and the hybrid.
#include <algorithm>
#include <vector>

#include "collectives/patterns/partial_result.hpp"
#include "collectives/peers.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {
namespace {

constexpr Rank nobody = -1;

struct Exchange {
  Rank to = nobody;
  Rank from = nobody;
};

// The peers of a rank, round by round.
std::vector<Exchange> exchanges_of(Rank ranks, int levels, Rank me) {
  std::vector<Exchange> exchanges;
  const std::int64_t end = std::int64_t{me} + 1;  // the number of ranks up to this one
  for (int level = 0; level < levels; ++level) {
    const Rank distance = Rank{1} << level;
    const std::int64_t rest = end % (2 * std::int64_t{distance});
    Exchange& exchange = exchanges.emplace_back();
    if (rest == distance && me + std::int64_t{distance} < ranks) exchange.to = me + distance;
    if (rest == 0) exchange.from = me - distance;
  }
  const std::int64_t group = std::int64_t{1} << levels;
  for (std::int64_t distance = 1; distance < ranks / group; distance *= 2) {
    Exchange& exchange = exchanges.emplace_back();
    if (end % group != 0) continue;
    if (end + distance * group <= ranks) exchange.to = static_cast<Rank>(me + distance * group);
    if (end > distance * group) exchange.from = static_cast<Rank>(me - distance * group);
  }
  for (int level = levels - 1; level >= 0; --level) {
    const Rank distance = Rank{1} << level;
    const std::int64_t rest = end % (2 * std::int64_t{distance});
    Exchange& exchange = exchanges.emplace_back();
    if (rest == 0 && me + std::int64_t{distance} < ranks) exchange.to = me + distance;
    if (rest == distance && end > distance) exchange.from = me - distance;
  }
  return exchanges;
}

Schedule inclusive(const Problem& problem, Rank me, const std::vector<Exchange>& exchanges) {
  Schedule schedule;
  PartialResult partial(schedule, problem.all(operand_buffer(problem, me)), problem.all(), 2);
  for (const Exchange& exchange : exchanges) {
    Round& round = schedule.add_round();
    if (exchange.to != nobody) round.send(exchange.to, partial.standing());
    if (exchange.from != nobody) partial.receive_left(round, exchange.from);
  }
  partial.finish(schedule);
  return schedule;
}

// Keeps two results: that of the ranks before this one, and that result with this rank's operand, which the rank sends.
Schedule exclusive(const Problem& problem, Rank me, const std::vector<Exchange>& exchanges) {
  const Segment operand = problem.all(operand_buffer(problem, me));
  const bool in_place = operand == problem.all();
  Schedule schedule;
  const Segment before = in_place ? schedule.add_scratch(problem.count) : problem.all();
  const Segment with_own = schedule.add_scratch(problem.count);
  const Slots received(schedule, 2, problem.count);
  Count arrivals = 0;
  for (auto it = exchanges.begin(); it != exchanges.end(); ++it) {
    Round& round = schedule.add_round();
    if (it->to != nobody) round.send(it->to, arrivals == 0 ? operand : with_own);
    if (it->from == nobody) continue;
    const bool sends_later = std::any_of(it + 1, exchanges.end(), [](const Exchange& e) { return e.to != nobody; });
    if (arrivals++ == 0) {
      round.receive(it->from, before);
      if (sends_later) round.copy(with_own, before);
      if (sends_later) round.combine_right(with_own, operand);
    } else {
      const Segment arrival = received.at(arrivals, problem.count);
      round.receive(it->from, arrival);
      round.combine_left(before, arrival);
      if (sends_later) round.combine_left(with_own, arrival);
    }
  }
  if (in_place && me > 0) schedule.add_round().copy(problem.all(), before);
  return schedule;
}

// Adds a round in which `senders` ranks send. In an exclusive prefix, receivers combine for the result if some of them
// have received before, and once more for their later messages if some of them send later.
void add_round(Cost& cost, const Problem& problem, Count senders, bool have_received, bool send_later) {
  if (senders <= 0) return;
  const Count combinations =
      problem.operation == Operation::prefix ? 1 : (have_received ? 1 : 0) + (send_later ? 1 : 0);
  cost = cost + Cost{1, problem.count, senders * problem.count, combinations * problem.count, senders};
}

// The longest chain of messages that a result waits for. Down a tree, each level serves the ranks behind its sender: n
// ranks behind the sender wait for up to floor(log2(n + 1)) further messages.
Count longest_chain(Count p, int levels) {
  const Count group = Count{1} << levels;
  const Count first = std::min(p, group - 1);  // ranks that wait only for their own group
  Count longest = 0;
  if (first > 0) {
    // The longest way goes up to the last rank of the largest power of two and down to the ranks behind it; or up to
    // the last rank of half that power, and down.
    const int up = floor_log2(first);
    longest = std::max(up + floor_log2(first - (Count{1} << up) + 1), 2 * up - 2);
  }
  // The way goes up all levels, then among the groups by doubling, then down to the ranks behind the last whole group,
  // or behind the group before it.
  const auto behind = [&](Count groups, Count rest) { return levels + floor_log2(groups) + floor_log2(rest + 1); };
  const Count full = p / group;
  if (full > 0) longest = std::max<Count>(longest, behind(full, p % group));
  if (full > 1) longest = std::max<Count>(longest, behind(full - 1, group - 1));
  return longest;
}

Cost cost_with(const Problem& problem, int levels) {
  Cost cost;
  const Count p = problem.ranks;
  for (int level = 0; level < levels; ++level) {
    const Count distance = Count{1} << level;
    add_round(cost, problem, p / (2 * distance), level > 0, p > 2 * distance);
  }
  const Count group = Count{1} << levels;
  for (Count distance = 1; distance < p / group; distance *= 2) {
    const bool send_later = 3 * distance < p / group || (levels > 0 && (distance + 1) * group < p);
    add_round(cost, problem, p / group - distance, levels > 0 || distance > 1, send_later);
  }
  for (int level = levels - 1; level >= 0; --level) {
    const Count distance = Count{1} << level;
    add_round(cost, problem, (p - distance) / (2 * distance), level > 0, level > 0 && 3 * distance < p);
  }
  cost.overlapped = cost.rounds - longest_chain(p, levels);
  return cost;
}

int levels_of(const Problem& problem) {
  const int most = ceil_log2(problem.ranks);
  if (const Count wished = problem.parameters.get("k", -1); wished >= 0) {
    return static_cast<int>(std::min<Count>(wished, most));
  }
  const auto seconds_with = [&](int levels) { return seconds_by_data(cost_with(problem, levels), problem); };
  int best = std::min(1, most);
  for (int levels = 0; levels <= most; ++levels) {
    if (seconds_with(levels) < seconds_with(best)) best = levels;
  }
  return best;
}

}  // namespace

Schedule hybrid(const Problem& problem, Rank me) {
  const std::vector<Exchange> exchanges = exchanges_of(problem.ranks, levels_of(problem), me);
  return problem.operation == Operation::prefix ? inclusive(problem, me, exchanges) : exclusive(problem, me, exchanges);
}

Cost hybrid_cost(const Problem& problem) { return cost_with(problem, levels_of(problem)); }

}  // namespace cohort::prefix
