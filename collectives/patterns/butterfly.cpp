// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/butterfly.hpp"

#include <algorithm>
#include <bit>

#include "collectives/patterns/arrivals.hpp"
#include "collectives/peers.hpp"

namespace cohort {

Butterfly::Butterfly(Rank positions, Distances distances) : rounds_(ceil_log2(positions)), distances_(distances) {}

Butterfly::Range Butterfly::parts(Rank position, int rounds) const {
  Rank index = 0;
  for (int round = 0; round < rounds; ++round) index = 2 * index + (partner_is_above(position, round) ? 0 : 1);
  const Rank length = Rank{1} << (rounds_ - rounds);
  return {index * length, (index + 1) * length};
}

Segment ButterflyRank::in(const Segment& vector, Butterfly::Range range) const {
  return parts_.range(vector, range.first, range.last);
}

void ButterflyRank::add_halving(Schedule& schedule, const Segment& operand, const Segment& work) const {
  const Rank me = ranks_.group();
  for (int i = 0; i < butterfly_.rounds(); ++i) {
    Round& round = schedule.add_round();
    if (!ranks_.leads()) continue;
    const Rank partner = butterfly_.partner(me, i);
    const Rank peer = ranks_.leader_of(partner);
    const bool first = i == 0 && operand != work;
    round.send(peer, in(first ? operand : work, butterfly_.parts(partner, i + 1)));
    const Segment sum = in(work, butterfly_.parts(me, i + 1));
    receive_and_combine(round, peer, butterfly_.partner_is_above(me, i) ? Side::right : Side::left,
                        first ? in(operand, butterfly_.parts(me, i + 1)) : sum, sum,
                        first ? Segment() : schedule.add_scratch(sum.count));
  }
}

void ButterflyRank::add_doubling(Schedule& schedule, const Segment& vector) const {
  const Rank me = ranks_.group();
  for (int i = butterfly_.rounds() - 1; i >= 0; --i) {
    Round& round = schedule.add_round();
    if (!ranks_.leads()) continue;
    const Rank partner = butterfly_.partner(me, i);
    round.send(ranks_.leader_of(partner), in(vector, butterfly_.parts(me, i + 1)));
    round.receive(ranks_.leader_of(partner), in(vector, butterfly_.parts(partner, i + 1)));
  }
}

void ButterflyRank::add_gather(Schedule& schedule, const Segment& vector, Rank root_group) const {
  const Rank me = ranks_.group();
  bool sent = false;
  for (int i = butterfly_.rounds() - 1; i >= 0; --i) {
    Round& round = schedule.add_round();
    if (!ranks_.leads() || sent) continue;
    const Rank partner = butterfly_.partner(me, i);
    const Rank peer = ranks_.leader_of(partner);
    sent = butterfly_.partner_is_above(me, i) != butterfly_.partner_is_above(root_group, i);
    if (sent) {
      round.send(peer, in(vector, butterfly_.parts(me, i + 1)));
    } else {
      round.receive(peer, in(vector, butterfly_.parts(partner, i + 1)));
    }
  }
}

FoldedButterfly::FoldedButterfly(const Problem& problem, Rank me, Rank leader)
    : folding(problem.ranks, static_cast<Rank>(std::bit_floor(static_cast<std::uint32_t>(problem.ranks))), me, leader),
      parts(has_vector(problem.operation) ? Blocks::split(folding.groups(), problem.count)
                                          : folding.joined(problem.blocks)),
      graph(folding.groups(), Butterfly::Distances::doubling) {}

namespace costs {

Cost vector_halving(const Blocks& parts) {
  Cost cost = vector_doubling(parts);
  cost.combined = cost.volume;
  return cost;
}

Cost vector_doubling(const Blocks& parts) {
  Cost cost;
  for (Rank length = parts.size() / 2; length >= 1; length /= 2) {
    // Each rank sends its range of `length` parts. The first range is the longest.
    cost = cost + Cost{1, parts.offset(length), length * parts.total(), 0, parts.size()};
  }
  return cost;
}

Cost butterfly_gather(const Blocks& parts, Rank root) {
  const Count each = parts.count(parts.size() - 1);
  const Count longer = parts.total() - each * parts.size();  // the first `longer` parts have one element more
  Cost cost;
  Rank bit = 1;
  for (Count length = parts.size() / 2; length >= 1; length /= 2, bit *= 2) {
    // Every second range of `length` parts is sent. The root's digit says whether the even or the odd ranges.
    const bool even_ones = (root & bit) != 0;
    const Count longer_even = longer / (2 * length) * length + std::min(longer % (2 * length), length);
    const auto first = static_cast<Rank>(even_ones ? 0 : length);
    cost = cost + Cost{1, parts.offset(static_cast<Rank>(first + length)) - parts.offset(first),
                       each * parts.size() / 2 + (even_ones ? longer_even : longer - longer_even), 0,
                       parts.size() / (2 * length)};
  }
  return cost;
}

}  // namespace costs
}  // namespace cohort
