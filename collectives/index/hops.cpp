// SPDX-License-Identifier: Apache-2.0
#include "collectives/index/hops.hpp"

#include <algorithm>

#include "collectives/patterns/circulant_schedule.hpp"
#include "collectives/peers.hpp"

namespace cohort::index {

std::vector<Hop> radix_hops(Rank ranks, Count radix) {
  std::vector<Hop> hops;
  for (Count place = 1; place < ranks; place *= radix) {
    for (Count digit = 1; digit < radix && digit * place < ranks; ++digit) {
      Hop& hop = hops.emplace_back();
      hop.distance = static_cast<Rank>(digit * place);
      for (Count first = digit * place; first < ranks; first += radix * place) {
        const Count last = std::min<Count>(first + place, ranks);
        for (Count slot = first; slot < last; ++slot) hop.slots.push_back(static_cast<Rank>(slot));
      }
    }
  }
  return hops;
}

std::vector<Hop> halving_hops(Rank ranks) {
  const CirculantGraph graph(ranks);
  std::vector<std::uint32_t> skips(static_cast<std::size_t>(ranks));  // of each slot: bit k for the skip of round k
  std::vector<Hop> hops;
  for (int k = 0; k < graph.rounds(); ++k) {
    Hop& hop = hops.emplace_back();
    hop.distance = graph.skip(k);
    for (Rank slot = graph.skip(k); slot < graph.skip(k + 1); ++slot) {
      skips[static_cast<std::size_t>(slot)] = skips[static_cast<std::size_t>(slot - graph.skip(k))] | std::uint32_t{1}
                                                                                                          << k;
    }
  }
  for (Rank slot = 0; slot < ranks; ++slot) {
    for (int k = 0; k < graph.rounds(); ++k) {
      if ((skips[static_cast<std::size_t>(slot)] >> k & 1) != 0)
        hops[static_cast<std::size_t>(k)].slots.push_back(slot);
    }
  }
  std::reverse(hops.begin(), hops.end());
  return hops;
}

void add_hops(Schedule& schedule, std::span<const Hop> hops, Rank ranks, Rank me, const Departure& departure,
              const Landing& landing) {
  std::vector<int> hops_left(static_cast<std::size_t>(ranks));
  for (const Hop& hop : hops) {
    for (const Rank slot : hop.slots) ++hops_left[static_cast<std::size_t>(slot)];
  }
  std::vector<Segment> places;
  for (Rank slot = 0; slot < ranks; ++slot) places.push_back(departure(slot));
  for (const Hop& hop : hops) {
    Segments sent;
    Segments received;
    for (const Rank slot : hop.slots) {
      Segment& place = places[static_cast<std::size_t>(slot)];
      sent.add(place);
      place = landing(slot, --hops_left[static_cast<std::size_t>(slot)]);
      received.add(place);
    }
    Round& round = schedule.add_round();
    round.send(modulo(std::int64_t{me} + hop.distance, ranks), sent);
    round.receive(modulo(std::int64_t{me} - hop.distance, ranks), received);
  }
}

Schedule in_hops(std::span<const Hop> hops, const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const Blocks& in = problem.blocks;
  const Blocks& out = problem.receive_blocks;
  Schedule schedule;
  schedule.add_round().copy(out.block(Buffer::output, me), in.block(Buffer::input, me));
  // Every slot hops at least once.
  std::size_t slots = 1;
  for (const Hop& hop : hops) slots += hop.slots.size();
  const Segment passing = schedule.add_scratch(slots > static_cast<std::size_t>(p) ? in.total() : 0);
  add_hops(
      schedule, hops, p, me, [&](Rank slot) { return in.block(Buffer::input, modulo(std::int64_t{me} + slot, p)); },
      [&](Rank slot, int hops_left) {
        if (hops_left % 2 == 0) return out.block(Buffer::output, modulo(std::int64_t{me} - slot, p));
        return Segment{Buffer::scratch, passing.offset + in.offset(slot), in.count(slot)};
      });
  return schedule;
}

Count radix_slots(Rank ranks, Count radix) {
  Count slots = 0;
  for (Count place = 1; place < ranks; place *= radix) {
    const Count period = place * radix;
    slots += ranks - (ranks / period * place + std::min(ranks % period, place));  // slots whose digit is not 0
  }
  return slots;
}

Cost radix_cost_with(const Problem& problem, Count radix) {
  const Count p = problem.ranks;
  const Count sent = radix_slots(problem.ranks, radix) * problem.blocks.largest();
  Cost cost{0, sent, p * sent, 0};
  Count places = 0;
  for (Count place = 1; place < p; place *= radix, ++places) {
    cost.rounds += std::min(radix - 1, (p + place - 1) / place - 1);
  }
  cost.messages = p * cost.rounds;
  cost.overlapped = cost.rounds - places;
  return cost;
}

}  // namespace cohort::index
