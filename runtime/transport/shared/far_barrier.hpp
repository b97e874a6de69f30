// SPDX-License-Identifier: Apache-2.0
// A memory barrier that one process executes for all: membarrier(2). Whoever does something often, and must not do it
// later than a look at what another process does rarely, then needs no barrier of its own.
#pragma once

namespace cohort::shared {

// From now on the barriers of others are executed in this process, too. Returns whether it can have and execute them.
// Called once for each process, or more often.
bool join_far_barriers();

// Every thread that runs in a process that has joined, on this machine, executes a barrier before this returns. Returns
// false if the system refuses it, as a filter of system calls may do from some moment on.
bool far_barrier();

}  // namespace cohort::shared
