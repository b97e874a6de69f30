// Finds deadlocks in what processes say that they do. No I/O.
//
// A process is alive if it has a thread that does not wait, or a wait that can still end. A wait ends with any of its
// calls. A call ends when all its messages have passed; a receive_any ends with one. A message can pass if it is on its
// way, if its other end is alive, or if its other end is in the same collective, of which some message can still pass.
// A process that is not alive by these rules never will be: everything that it waits for waits in the same way, or
// leaves the job. A process that asks for survivors goes on when all members have asked; the launcher knows who has.
//
// This holds for the state at one moment, but answers arrive one after the other. So all are asked twice, the second
// time when all have answered. If a process has done nothing between its answers, there was a moment at which all were
// as they say. If each has then received all that the others had sent, nothing was on its way.
#pragma once

#include <set>
#include <string>

#include "groups/survivors.hpp"
#include "launcher/job/inquiry.hpp"

namespace cohort {

// The processes that never go on, by these answers, including those that leave the job and are waited for. Empty if all
// of them only wait to leave.
std::set<Pid> deadlocked(const Inquiry::Answers& answers, const Survivors& survivors);

// Whether these processes have done nothing between two answers, and nothing was on its way among them.
bool at_rest(const std::set<Pid>& processes, const Inquiry::Answers& before, const Inquiry::Answers& after);

// "deadlock: ranks 0, 3 and 4 of the job wait for one another for ever", for the processes' own errors.
std::string sentence_of(const std::set<Pid>& processes);

}  // namespace cohort
