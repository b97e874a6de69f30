// What processes are doing, in words.
#pragma once

#include <string>

#include "cohort/types.hpp"
#include "proto/process.pb.h"

namespace cohort {

// "41 s", "3 min", "0.4 s"
std::string in_words(double seconds);

// Whether all that the answer of a process refers to is in it, or in a job of so many: a program may say anything.
// describe() and deadlocked() rely on it.
bool makes_sense(const process::v1::Doing& doing, Rank ranks);

// What this process does: "in combine #88 of group (3,0) for 41 s, waits for rank 5: round 3 of circulant
// (loop.cpp:9)". Ranks are the group's; they are followed by the pids, and the process's own is said, where these are
// others. Several threads' words are parted by semicolons.
std::string describe(Pid pid, const process::v1::Doing& doing);

}  // namespace cohort
