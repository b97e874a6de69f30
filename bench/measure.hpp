// How a call is measured: as long as its slowest process takes, again and again.
#pragma once

#include <string>

#include "bench/calls.hpp"

namespace cohort::bench {

struct Measurement {
  int repetitions = 0;
  double minimum_us = 0, median_us = 0;
  std::string algorithm;  // of a collective
};

// How often a measurement is repeated: as often as the time allows, but not less than this, nor above a limit.
struct Patience {
  double seconds = 1;
  int least_repetitions = 5;
};

constexpr int most_repetitions = 1000;

// Two calls warm up. A repetition is a barrier, one reading of the clock, the call, another reading: its time is the
// largest of all processes. Of small vectors, a repetition is 20 calls.
Measurement measure(const Group& group, const Call& call, const Vectors& vectors, const Patience& patience);

}  // namespace cohort::bench
