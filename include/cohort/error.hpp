// SPDX-License-Identifier: Apache-2.0
// The exception of all calls, for mistakes of the caller and for events outside of the program. Its text names the
// operation and the processes concerned, never only "connection reset".
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "cohort/detail/shared.hpp"
#include "cohort/failure.hpp"

namespace cohort {

// What went wrong.
enum class ErrorCode {
  argument,   // a bad argument of this call; nothing was sent
  truncated,  // the message was longer than the receive's buffer; it is dropped, later messages are intact
  mismatch,   // two members called different operations, or with different arguments
  peer_lost,  // a process died, or the connection to it broke
  timeout,    // something took longer than its limit
  deadlock,   // this call can never return: the processes wait for each other
  left,       // this process, or one that the call waits for, has left the job or the group
  job,        // the launcher or the host's agent could not do its part
  revoked,    // a member has ended all use of this group, so that the others stop waiting for one another (MPI)
  internal,   // a user's operator threw, or a limit of the system was hit (memory, descriptors)
};

std::string_view name_of(ErrorCode code);  // "peer_lost"

// What an error is about, as far as it is known.
struct ErrorContext {
  std::optional<Operation> operation{};  // of the call that failed
  std::optional<GroupId> group{};        // of the call that failed
  Rank rank = -1;                        // of the process that the error is about, in that group; -1: none
  Pid pid = -1;                          // of that process
  std::string host{};                    // of that process
  std::string where{};                   // the line of the call: "heat.cpp:52"
};

// What every call throws. A collective that fails does so at all members of its group.
class Error : public std::runtime_error {
 public:
  // `failure`: the record of the lost process that the error is about.
  Error(ErrorCode code, const std::string& message, ErrorContext context = {},
        detail::Shared<const Failure> failure = nullptr)
      : std::runtime_error(message), code_(code), context_(std::move(context)), failure_(std::move(failure)) {}

  ErrorCode code() const { return code_; }
  std::optional<Operation> operation() const { return context_.operation; }
  std::optional<GroupId> group() const { return context_.group; }
  Rank rank() const { return context_.rank; }
  Pid pid() const { return context_.pid; }
  const std::string& host() const { return context_.host; }
  const std::string& where() const { return context_.where; }

  // Null unless a process is lost. Lives as long as this error.
  const Failure* failure() const { return failure_.get(); }

 private:
  ErrorCode code_;
  ErrorContext context_;
  detail::Shared<const Failure> failure_;
};

}  // namespace cohort
