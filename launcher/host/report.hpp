// SPDX-License-Identifier: Apache-2.0
// Describes in words what processes are doing.
#pragma once

#include <string>

#include "cohort/types.hpp"
#include "proto/process.pb.h"

namespace cohort {

// "41 s", "3 min", "0.4 s"
std::string in_words(double seconds);

// Whether the answer refers only to calls that it contains, and to ranks of a job of this size. A program may send
// anything, so describe() and deadlocked() rely on this check.
bool makes_sense(const process::v1::Doing& doing, Rank ranks);

// What a process does: "in combine #88 of group (3,0) for 41 s, waits for rank 5: round 3 of circulant (loop.cpp:9)".
// Ranks are ranks of the group. A rank's pid follows if it differs, and the process's own rank is named if it differs
// from its pid. Semicolons separate threads.
std::string describe(Pid pid, const process::v1::Doing& doing);

}  // namespace cohort
