// The exception of all calls, for mistakes of the caller and for events outside of the program. Its text names the
// operation and the processes concerned, never only "connection reset".
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "cohort/failure.hpp"

namespace cohort {

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

std::string_view name_of(ErrorCode code);

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  // `peer`: the pid that the error is about, or -1 for none.
  Error(ErrorCode code, const std::string& message, Pid peer) : std::runtime_error(message), code_(code), peer_(peer) {}

  // The same, for a lost process.
  Error(ErrorCode code, const std::string& message, std::shared_ptr<const Failure> failure)
      : std::runtime_error(message), code_(code), peer_(failure->pid), failure_(std::move(failure)) {}

  ErrorCode code() const { return code_; }
  Pid peer() const { return peer_; }
  const Failure* failure() const {
    return failure_.get();
  }  // null unless a process is lost; lives as long as this error

 private:
  ErrorCode code_;
  Pid peer_ = -1;
  std::shared_ptr<const Failure> failure_;
};

}  // namespace cohort
