// Faults that a user asks for, as TOML: which processes and links suffer what, and when. docs/manual/faults.md teaches
// it.
//
//   seed = 7
//   [[fault]]                              [[fault]]
//   kind = "kill"                          kind = "delay"
//   rank = 3                               from = 0
//   at_call = 5                            delay_s = 0.05
//   operation = "combine"                  rate = 0.1
#pragma once

#include <string>
#include <vector>

#include "runtime/faults/planned_fault.hpp"

namespace cohort {

struct GivenFaults {
  FaultPlan plan;
  // By a fault's number: where it was asked for ("faults.toml:4"), and what it is ("kill of rank 3").
  std::vector<std::string> descriptions;
  bool random = false;  // the seed matters
};

std::uint64_t fresh_seed();

// For a job of this many ranks. `first` is the number of the first fault. `seed` counts if the text has none. Throws
// UsageError that names the file, line and key; the name is empty for faults from no file.
GivenFaults read_faults(const std::string& file, Pid ranks, std::uint64_t seed);
GivenFaults parse_faults(const std::string& text, const std::string& file, Pid ranks, std::uint64_t seed,
                         std::uint32_t first = 0);

}  // namespace cohort
