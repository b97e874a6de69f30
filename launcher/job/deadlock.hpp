// Deadlocks in what processes say they do: no I/O.
//
// A process is alive if it has a thread that is not waiting, or one whose wait can still end. A wait ends with any of
// its calls; a call ends when all its messages have passed, or one if it is a receive_any; a message passes if it is on
// its way already, or if its other end is alive, or is in the same collective there, of which some message can still
// pass. What is not alive by these rules never will be: everything it waits for is waiting in the same way, or leaves
// the job. Who asks for the survivors of a group goes on when all its members have asked; the launcher knows who has.
//
// That holds for what was the case at one time, while answers come one after the other. So two questions are asked, the
// second when all have answered the first. If a process has done nothing between its answers, there was a moment
// when all of them were as they say; and if each has then received what the others had sent to it, nothing was on its
// way.
#pragma once

#include <set>
#include <string>

#include "groups/survivors.hpp"
#include "launcher/job/inquiry.hpp"

namespace cohort {

// The processes that never go on, by these answers: among them those that leave the job and are waited for. Empty if
// all of them only wait to leave.
std::set<Pid> deadlocked(const Inquiry::Answers& answers, const Survivors& survivors);

// Whether these processes have done nothing between two answers, and nothing was on its way among them.
bool at_rest(const std::set<Pid>& processes, const Inquiry::Answers& before, const Inquiry::Answers& after);

// "deadlock: ranks 0, 3 and 4 of the job wait for one another for ever", for the processes' own errors.
std::string sentence_of(const std::set<Pid>& processes);

}  // namespace cohort
