// SPDX-License-Identifier: Apache-2.0
// Finds deadlocks in the processes' reports of what they do. No I/O.
//
// A process is alive if one of its threads does not wait, or if one of its waits can still end. A wait ends with any of
// its calls. A call ends when all its messages have passed; a receive_any ends with one message. A message can pass in
// three cases: it is on its way, the process at its other end is alive, or that process is in the same collective call
// and some message of that process's call can still pass. A process that is not alive by these rules stays blocked:
// every process that it waits for is blocked too, or leaves the job. A process that asks for survivors goes on when all
// members have asked. The launcher knows which have.
//
// These rules need the state at one moment, but the answers arrive one after the other. So all processes are asked
// twice, the second time after all have answered. If no process did anything between its two answers, there was a
// moment at which all answers were true. If each process had then received all that the others sent, no message was on
// its way.
#pragma once

#include <set>
#include <string>

#include "groups/survivors.hpp"
#include "launcher/job/inquiry.hpp"

namespace cohort {

// The processes that never go on, by these answers. They include processes that leave the job while others wait for
// them. Empty if all of them only wait to leave.
std::set<Pid> deadlocked(const Inquiry::Answers& answers, const Survivors& survivors);

// Whether these processes did nothing between their two answers, and no message was on its way among them.
bool at_rest(const std::set<Pid>& processes, const Inquiry::Answers& before, const Inquiry::Answers& after);

// "deadlock: ranks 0, 3 and 4 of the job wait for one another for ever", for the processes' own errors.
std::string sentence_of(const std::set<Pid>& processes);

}  // namespace cohort
