// SPDX-License-Identifier: Apache-2.0
// Turns a call into a problem: checks the arguments, and states what the schedule must solve.
#pragma once

#include "collectives/problem.hpp"
#include "runtime/calls/call_comparison.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

// It may correct the call. Memory that is not used on this rank is dropped. A concat whose input is its own block
// of the output is in place. Throws Error(argument) that names the operation, the group, the rank and the mistake.
Problem problem_of(const GroupState& group, Call& call);

// Forgets the memory that the operation does not use on this rank, which may be anything.
void drop_unused_memory(Call& call, Rank me);

// The parts of the call that members compare.
MadeCall made_call(const Call& call, const Problem& problem);

// Whether two stretches of elements share memory.
bool overlap(const Memory& a, const Memory& b, std::size_t element_bytes);

// Checks a message's arguments; throws as problem_of() does.
void check(const GroupState& group, const Letter& letter);

}  // namespace cohort::detail
