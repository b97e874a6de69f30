// From a call to its problem: checks the arguments, and says what the schedule must solve.
#pragma once

#include "collectives/problem.hpp"
#include "runtime/calls/call_comparison.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

// May correct the call: a reduction in place away from the root has no output, a concat whose input is its own block of
// the output is in place. Throws Error(argument) that names operation, group, rank and what is wrong.
Problem problem_of(const GroupState& group, Call& call);

// The call as the members compare it.
MadeCall made_call(const Call& call, const Problem& problem);

// Throws Error(argument) that names operation, group, rank and this.
[[noreturn]] void refuse(const GroupState& group, Operation operation, const Where& where, const std::string& what);

// The same for a message.
void check(const GroupState& group, const Letter& letter);

}  // namespace cohort::detail
