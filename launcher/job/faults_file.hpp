// SPDX-License-Identifier: Apache-2.0
// Faults that a user asks for, as TOML: which process or link gets which fault, and when. docs/reference/fault_file.md
// explains the format.
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
  // By a fault's number: where the user asked for the fault ("faults.toml:4"), and the fault ("kill of rank 3").
  std::vector<std::string> descriptions;
  bool random = false;  // whether the seed has an effect
};

std::uint64_t fresh_seed();

// For a job of this many ranks. `first` is the number of the first fault. `seed` is used if the text gives none. Throws
// UsageError that names the file, line and key. `file` is empty for faults from the command line.
GivenFaults read_faults(const std::string& file, Pid ranks, std::uint64_t seed);
GivenFaults parse_faults(const std::string& text, const std::string& file, Pid ranks, std::uint64_t seed,
                         std::uint32_t first = 0);

}  // namespace cohort
