// SPDX-License-Identifier: Apache-2.0
// Makes a schedule a part of another one by renaming its ranks and buffers. In this way algorithms are composed of
// others: a scatter within a broadcast, a combine among the leaders of groups.
#pragma once

#include <functional>

#include "collectives/schedule.hpp"

namespace cohort {

struct Embedding {
  // Where the part's input and output begin. Their counts do not matter.
  Segment input{Buffer::input, 0, 0};
  Segment output{Buffer::output, 0, 0};
  std::function<Rank(Rank)> rank_of = {};  // the part's rank in the whole; none: the same
};

// Plays `part` after `whole`. Drops copies of a segment to itself, which an embedding may cause.
void append_part(Schedule& whole, Schedule part, const Embedding& embedding);

// Plays two parts after `whole`, their rounds in turn; the second part starts `delay` rounds after the first. So the
// second part passes on data that the first has brought, while the first goes on. A rank that does not take part has an
// empty schedule.
struct Part {
  Schedule schedule;
  Embedding embedding;
};
void append_in_turn(Schedule& whole, Part first, Part second, std::size_t delay);

// Adds empty rounds until there are `rounds`. A message is sent and received in the same round, so ranks with different
// work need the same number of rounds before it.
void add_rounds_until(Schedule& schedule, std::size_t rounds);

}  // namespace cohort
