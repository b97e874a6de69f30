// SPDX-License-Identifier: Apache-2.0
// All-to-all exchange in few rounds. The block for the rank j places ahead is in slot j and travels there in hops. In
// each round every rank sends the same slots the same number of places ahead. A slot has arrived when its hops add up
// to j.
// Source: CCL section 4.2; Bruck et al. 1997.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "collectives/cost.hpp"

namespace cohort::index {

// One round.
struct Hop {
  Rank distance = 0;
  std::vector<Rank> slots;
};

// Slot j hops by the digits of j to the base `radix`, the last digit first: by z radix^x if digit x is z.
std::vector<Hop> radix_hops(Rank ranks, Count radix);

// Slot j hops by the skips of the circulant graph that add up to j, the longest first.
std::vector<Hop> halving_hops(Rank ranks);

// The place of slot j before its first hop, and its place after a hop with so many hops left. Both functions are called
// in the order of the hops and slots. A landing place must hold neither another slot's data nor the data of the slot's
// own previous landing.
using Departure = std::function<Segment(Rank slot)>;
using Landing = std::function<Segment(Rank slot, int hops_left)>;
void add_hops(Schedule& schedule, std::span<const Hop> hops, Rank ranks, Rank me, const Departure& departure,
              const Landing& landing);

// The exchange of equal blocks. A slot lands alternately in its place of the output and in scratch memory; its last hop
// ends in the output.
Schedule in_hops(std::span<const Hop> hops, const Problem& problem, Rank me);

// The cost of the exchange of equal blocks by radix_hops().
Cost radix_cost_with(const Problem& problem, Count radix);

// How many slots each rank sends, all rounds of radix_hops() together.
Count radix_slots(Rank ranks, Count radix);

}  // namespace cohort::index
