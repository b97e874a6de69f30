// What a call throws when the world, or its caller, does something that it must name: never a bare "connection reset".
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
  timeout,    // something did not happen within its bound
  deadlock,   // nothing can ever make this call return
  left,       // this process, or one that the call waits for, has left the job or let go of the group
  job,        // the launcher or the host's agent could not do its part
  internal,   // a user's operator threw, or a limit of the system was hit (memory, descriptors)
};

std::string_view name_of(ErrorCode code);

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  // `peer` is the pid that the error is about, or -1 where there is none.
  Error(ErrorCode code, const std::string& message, Pid peer) : std::runtime_error(message), code_(code), peer_(peer) {}

  // The same where a process is lost.
  Error(ErrorCode code, const std::string& message, std::shared_ptr<const Failure> failure)
      : std::runtime_error(message), code_(code), peer_(failure->pid), failure_(std::move(failure)) {}

  ErrorCode code() const { return code_; }
  Pid peer() const { return peer_; }
  const Failure* failure() const { return failure_.get(); }  // null unless a process is lost; valid as long as this is

 private:
  ErrorCode code_;
  Pid peer_ = -1;
  std::shared_ptr<const Failure> failure_;
};

}  // namespace cohort
