// How a call is measured: as long as its slowest process takes, again and again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/calls.hpp"

namespace cohort::bench {

// What a repetition's time is.
enum class Timing {
  own,       // the slowest process's
  span,      // from the first process's start to the last one's end; needs one clock
  together,  // from an instant that all agree on, and start at, to the last one's end; needs a core for each
};

// How often a measurement is repeated: as often as the time allows, but not less than this, nor above a limit.
struct Patience {
  double seconds = 1;
  int least_repetitions = 5;
  int warm_up = 2;   // calls before the first repetition
  int calls = 0;     // of one repetition, one behind the other; 0: 20 of small vectors, else one
  double pause = 0;  // seconds before each repetition: so links with buckets have full ones
  Timing timing = Timing::own;
};

constexpr int most_repetitions = 1000;

struct Measurement {
  int repetitions = 0;
  double minimum_us = 0, median_us = 0;
  std::string algorithm;  // of a collective
  std::string refusal;    // why there is nothing: the algorithm can't do this
};

// Whether all processes are on one machine, be it in containers.
bool have_one_clock(const Group& all);

// Measures the call on several handles of the group, one by one: they differ in the algorithm. A
// repetition is a barrier, one reading of the clock, the call, another reading: its time is the largest of all
// processes, or the span of them all. A repetition may be several calls, which a process that need not wait for the
// others makes ahead of them: then their time is the mean. The handles take turns, so that what disturbs one disturbs
// all, each time in another order, for what went before counts too; one that is far behind the fastest is not repeated
// beyond what it must.
std::vector<Measurement> measure(const Group& all, std::span<const Group> handles, const Call& call,
                                 const Vectors& vectors, const Patience& patience);

}  // namespace cohort::bench
