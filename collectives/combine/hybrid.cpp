// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction with CCL's trade of rounds for traffic. Groups of 2^k neighbours reduce to their first rank
// along a tree. These leaders combine among each other, and each tells its group. With k = 0 only leaders are left.
// With k = ceil(log2 p) it is a tree up and down. The operands keep their order.
// Cost: (ceil(log2 p) + k) (alpha + beta m) for p = 2^q, and m p / 2^k (q + 2^(k+1) - k - 2) in all. The leaders take
// recursive doubling if their number is a power of two, else wrap_split, with messages of up to 2 m.
// Parameter: k.
// Source: CCL section 4.2.
#include <algorithm>
#include <bit>
#include <utility>

#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::combine {
namespace {

// The problem of the leaders, which have their groups' results in the output.
Problem among_leaders(const Problem& problem, int k) {
  Problem leaders = problem;
  leaders.ranks = ((problem.ranks - 1) >> k) + 1;
  leaders.in_place = problem.in_place || k > 0;
  return leaders;
}

bool doubles(const Problem& leaders) { return std::has_single_bit(static_cast<std::uint32_t>(leaders.ranks)); }

Cost cost_with(const Problem& problem, int k) {
  const Problem leaders = among_leaders(problem, k);
  const Count followers = problem.ranks - leaders.ranks;
  const Count deep = k * problem.count;
  return Cost{k, deep, followers * problem.count, deep, followers} +
         (doubles(leaders) ? recursive_doubling_cost(leaders) : wrap_split_cost(leaders)) +
         Cost{k, deep, followers * problem.count, 0, followers};
}

int k_of(const Problem& problem) {
  const auto wished = static_cast<int>(problem.parameters.get("k", -1));
  if (wished >= 0) return wished;
  int best = 0;
  for (int k = 1; k <= ceil_log2(problem.ranks); ++k) {
    const auto seconds_with = [&](int tried) { return seconds_by_data(cost_with(problem, tried), problem); };
    if (seconds_with(k) < seconds_with(best)) best = k;
  }
  return best;
}

}  // namespace

Schedule hybrid(const Problem& problem, Rank me) {
  const int k = k_of(problem);
  const Rank first = me >> k << k;
  Problem group = problem;
  group.ranks = static_cast<Rank>(std::min<std::int64_t>(std::int64_t{1} << k, problem.ranks - first));
  group.root = 0;
  const Embedding in_group{.rank_of = [first](Rank rank) { return first + rank; }};

  Schedule schedule;
  if (k > 0) append_part(schedule, reduce::recursive_split(group, me - first), in_group);
  add_rounds_until(schedule, static_cast<std::size_t>(k));

  const Problem leaders = among_leaders(problem, k);
  Schedule middle = doubles(leaders) ? recursive_doubling(leaders, me >> k) : wrap_split(leaders, me >> k);
  const std::size_t end = schedule.rounds() + middle.rounds();
  if (me == first) append_part(schedule, std::move(middle), {.rank_of = [k](Rank rank) { return rank << k; }});
  add_rounds_until(schedule, end);

  append_part(schedule, bcast::binomial(group, me - first), in_group);
  return schedule;
}

Cost hybrid_cost(const Problem& problem) { return cost_with(problem, k_of(problem)); }

}  // namespace cohort::combine
