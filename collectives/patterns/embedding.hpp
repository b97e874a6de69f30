// A schedule as a part of another one: its ranks and its buffers under the names that they have there. So algorithms
// are composed of algorithms: a scatter within a broadcast, a combine among the leaders of groups.
#pragma once

#include <functional>

#include "collectives/schedule.hpp"

namespace cohort {

struct Embedding {
  // Where the part's input and output begin (their counts don't matter).
  Segment input{Buffer::input, 0, 0};
  Segment output{Buffer::output, 0, 0};
  std::function<Rank(Rank)> rank_of = {};  // the part's rank in the whole; none: the same
};

// Plays `part` after `whole`. Copies of a segment to itself, as an embedding may bring about, vanish.
void append_part(Schedule& whole, Schedule part, const Embedding& embedding);

// Plays two parts after `whole`, their rounds in turn, the second's so many later than the first's: what the first part
// has brought goes on in the second, while the first goes on. Where a rank has no share in a part its schedule is
// empty.
struct Part {
  Schedule schedule;
  Embedding embedding;
};
void append_in_turn(Schedule& whole, Part first, Part second, std::size_t delay);

// Adds empty rounds until there are so many: what is sent in a round must be received in the same one, also where ranks
// have different things to do before.
void add_rounds_until(Schedule& schedule, std::size_t rounds);

}  // namespace cohort
