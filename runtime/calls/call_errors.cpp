// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/call_errors.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

ErrorContext context_of_call(const GroupState& group, std::optional<Operation> operation, Pid about,
                             const std::string& place) {
  ErrorContext context = group.context_of(about);
  context.operation = operation;
  context.where = place;
  return context;
}

namespace {

Error argument_error(const GroupState& group, std::string_view call, std::optional<Operation> operation,
                     const std::string& place, const std::string& what) {
  return {
      ErrorCode::argument,
      fmt::format("{} on group {}, rank {}: {} (called at {})", call, to_string(group.id()), group.me(), what, place),
      context_of_call(group, operation, group.members().pid_of(group.me()), place)};
}

// `call`: "sync on group (0,0)".
Error fault_of_call(const GroupState& group, const Fault& fault, Operation operation, const std::string& call, Pid peer,
                    const std::string& place) {
  return error_of(fault, fmt::format("{}: {} (called at {})", call, group.describe(fault), place),
                  context_of_call(group, operation, fault.failure ? fault.failure->pid : peer, place));
}

}  // namespace

Error error_of_call(const GroupState& group, const Fault& fault, Operation operation,
                    std::optional<std::uint64_t> number, Pid peer, const std::string& place) {
  const std::string count = number ? fmt::format(" #{}", *number) : "";
  return fault_of_call(group, fault, operation,
                       fmt::format("{}{} on group {}", name_of(operation), count, to_string(group.id())), peer, place);
}

void refuse(const GroupState& group, Operation operation, const std::string& place, const std::string& what) {
  throw argument_error(group, name_of(operation), operation, place, what);
}

void refuse(const GroupState& group, const char* call, const Where& where, const std::string& what) {
  throw argument_error(group, call, std::nullopt, to_string(where), what);
}

std::optional<std::string> defect_of_rank(const GroupState& group, Rank rank, const char* role) {
  const Rank size = group.members().size();
  if (rank >= 0 && rank < size) return std::nullopt;
  return fmt::format("{} {} is out of range: the group has the ranks 0 to {}", role, rank, size - 1);
}

void refuse_failed(const GroupState& group, Operation operation, const std::string& place) {
  if (group.runtime().left()) {
    const Fault left{ErrorCode::left, "this process has left the job"};
    throw error_of_call(group, left, operation, std::nullopt, group.runtime().job().me, place);
  }
  throw fault_of_call(group, *group.fault(), operation,
                      fmt::format("{} on group {}, which has failed", name_of(operation), to_string(group.id())),
                      group.failed_peer(), place);
}

void refuse_entry(const GroupState& group, Operation operation, const Where& where) {
  const Pid me = group.runtime().job().me;
  group.runtime().refuse_entry(
      &where, fmt::format("{} on group {}, rank {}: ", name_of(operation), to_string(group.id()), group.me()),
      fmt::format(" (called at {})", to_string(where)), context_of_call(group, operation, me, to_string(where)));
}

}  // namespace cohort::detail
