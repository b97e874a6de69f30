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
  // By the number of a fault: where it was asked for ("faults.toml:4"), and what it is in words ("kill of rank 3").
  std::vector<std::string> descriptions;
  bool random = false;  // the seed matters
};

std::uint64_t fresh_seed();

// For a job of so many ranks. `first` numbers the first of them. Where no seed is said, `seed` is taken. Throw
// UsageError that names the file, the line and the key; of faults that come from no file, the name is empty.
GivenFaults read_faults(const std::string& file, Pid ranks, std::uint64_t seed);
GivenFaults parse_faults(const std::string& text, const std::string& file, Pid ranks, std::uint64_t seed,
                         std::uint32_t first = 0);

}  // namespace cohort
