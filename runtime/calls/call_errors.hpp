// SPDX-License-Identifier: Apache-2.0
// Errors that name their call: in their text, and by the functions of Error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/calls/where.hpp"
#include "runtime/failures/fault.hpp"

namespace cohort::detail {

class GroupState;

// What an error of a call is about. `about`: the process; -1: none. No operation: the call is none, like rank_of.
ErrorContext context_of_call(const GroupState& group, std::optional<Operation> operation, Pid about,
                             const std::string& place);

// What a call throws for this fault. `number`: of a collective. `peer`: the process that the error is about, if the
// fault names no lost one; -1: none.
Error error_of_call(const GroupState& group, const Fault& fault, Operation operation,
                    std::optional<std::uint64_t> number, Pid peer, const std::string& place);

// Throw Error(argument) that names the operation, or the call that is none (rank_of), the group, the rank and `what`.
[[noreturn]] void refuse(const GroupState& group, Operation operation, const std::string& place,
                         const std::string& what);
[[noreturn]] void refuse(const GroupState& group, const char* call, const Where& where, const std::string& what);

// "rank 9 is out of range: the group has the ranks 0 to 5", or nothing if it is not. `role`: "root".
std::optional<std::string> defect_of_rank(const GroupState& group, Rank rank, const char* role = "rank");

// Throws what a call gets on a group that has failed before, or that this process has left.
[[noreturn]] void refuse_failed(const GroupState& group, Operation operation, const std::string& place);

// Throws the error of a call in a process or thread that is inert. `where` is the program's object: it lies in the
// stack of the calling function.
[[noreturn]] void refuse_entry(const GroupState& group, Operation operation, const Where& where);

}  // namespace cohort::detail
