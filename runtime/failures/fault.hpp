// SPDX-License-Identifier: Apache-2.0
// Why an operation or a group failed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cohort/error.hpp"

namespace cohort {

// The code that throws adds operation, group and rank.
struct Fault {
  ErrorCode code = ErrorCode::internal;
  std::string cause;
  std::shared_ptr<const Failure> failure = nullptr;  // of a lost process
  Pid culprit = -1;                                  // the process whose mistake it is; -1: the process that finds it
};
using FaultPointer = std::shared_ptr<const Fault>;

// Another member reports that its group has failed there.
struct ToldFailure {
  Pid from = 0;
  GroupId group;
  FaultPointer fault;
  std::optional<Pid> dead{};  // the dead process, if a death is the cause
  bool only_we_know = false;  // among the members: this process tells the others
};

inline Error error_of(const Fault& fault, const std::string& message, ErrorContext context) {
  return {fault.code, message, std::move(context), fault.failure};
}

}  // namespace cohort
