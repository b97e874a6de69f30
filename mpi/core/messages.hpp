// SPDX-License-Identifier: Apache-2.0
// Sends and receives as the program asks for them, and how the runtime performs them. The functions of MPI that name a
// send or a receive are made of these.
#pragma once

#include <cstdint>

#include "cohort/detail/call.hpp"
#include "mpi/core/communicator.hpp"
#include "mpi/core/data.hpp"
#include "mpi/core/request.hpp"
#include "mpi/core/status.hpp"
#include "runtime/calls/matched_message.hpp"

namespace cohort::mpi {

// Which messages a receive or a probe takes.
struct Wanted {
  const char* name;  // of MPI's function
  int source;
  int tag;
  Communicator& communicator;

  void check() const;  // throws Mistake, as do those below
  bool of_null_process() const { return source == abi::proc_null; }
  detail::Letter letter() const;
  Status status_of(const detail::Received& received) const;
};

// The data are checked already, by data_at(). All functions but check() need correct arguments.
struct Receiving {
  Wanted wanted;
  Data data;

  void check() const { wanted.check(); }
  void perform(Status* status) const;  // blocks
  void start(Request& request) const;  // as a part of this request
  // Of a message that a matched probe has taken: `wanted` says only who asks.
  void perform(detail::MatchedMessage&& taken, Status* status) const;
  void start(Request& request, detail::MatchedMessage&& taken) const;
};

struct Sending {
  enum class Mode : std::uint8_t { standard, buffered, synchronous };  // a ready send is a standard one

  const char* name;
  Mode mode;
  Data data;
  int destination;
  int tag;
  Communicator& communicator;

  void check() const;
  bool to_null_process() const { return destination == abi::proc_null; }
  detail::Letter letter() const;
  void perform() const;
  void start(Request& request) const;
  void start_copy(Request& request) const;  // the program may change its buffer at once
};

// Both at once, as one operation: exchanges in a cycle do not wait for each other.
struct Exchanging {
  Sending out;
  Receiving in;
  bool replaces = false;  // the buffer is the same: a copy is sent

  void check() const {
    out.check();
    in.check();
  }
  void perform(Status* status) const;
  void start(Request& request) const;
};

inline const detail::GroupPointer& runtime_group(const Communicator& communicator) {
  return detail::state_of(communicator.all);
}

}  // namespace cohort::mpi
