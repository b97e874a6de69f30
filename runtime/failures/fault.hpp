// Why an operation or a group failed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cohort/error.hpp"

namespace cohort {

// Whoever throws adds operation, group and rank.
struct Fault {
  ErrorCode code = ErrorCode::internal;
  std::string cause;
  std::shared_ptr<const Failure> failure = nullptr;  // of a lost process
  Pid culprit = -1;                                  // whose mistake it is; -1: of the process that finds it
};
using FaultPointer = std::shared_ptr<const Fault>;

// What another member of a group has told: the group has failed there.
struct ToldFailure {
  Pid from = 0;
  GroupId group;
  FaultPointer fault;
  std::optional<Pid> dead{};  // by whose death, if by one
  bool only_we_know = false;  // of the members: this process tells the others
};

// `peer` is the pid that it is about, where the fault does not know better.
inline Error error_of(const Fault& fault, const std::string& message, Pid peer) {
  return fault.failure ? Error(fault.code, message, fault.failure) : Error(fault.code, message, peer);
}

}  // namespace cohort
