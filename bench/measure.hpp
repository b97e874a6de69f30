// SPDX-License-Identifier: Apache-2.0
// Measures calls: each repetition takes the time of its slowest process.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/calls.hpp"

namespace cohort::bench {

// How a repetition's time is defined.
enum class Timing {
  own,       // the slowest process's
  span,      // from the first process's start to the last one's end; needs one clock
  together,  // from an instant at which all start to the last one's end; needs a core for each
};

// How often a measurement is repeated: as often as the time allows, within a least and a largest number.
struct Patience {
  double seconds = 1;
  int least_repetitions = 5;
  int warm_up = 2;   // calls before the first repetition
  int calls = 0;     // in a row, of one repetition; 0: 20 of small vectors, else one
  double pause = 0;  // seconds before each repetition, in which links' buckets fill
  Timing timing = Timing::own;
};

constexpr int most_repetitions = 1000;

struct Measurement {
  int repetitions = 0;
  double minimum_us = 0, median_us = 0;
  std::string algorithm;  // of a collective
  std::string refusal;    // why there is no time: the algorithm can't do this
};

// Whether all processes are on one machine, also in containers of it.
bool have_one_clock(const Group& all);

// Measures the call on several handles of the group, one by one; they differ in the algorithm. A repetition is a
// barrier, one reading of the clock, the call, another reading. Its time is the largest of all processes, or the span
// of them all. A repetition may be several calls; a process that need not wait for the others makes them ahead of the
// others; then the time is the mean. The handles take turns, each round in another order, so that disturbances and
// predecessors affect all alike. A handle that is far slower than the fastest is repeated only as often as it must.
// Tells between the rounds, several times a second, which share of the time has passed.
std::vector<Measurement> measure(const Group& all, std::span<const Group> handles, const Call& call,
                                 const Vectors& vectors, const Patience& patience,
                                 const std::function<void(double share)>& on_progress);

}  // namespace cohort::bench
