// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/request.hpp"

#include <thread>

#include "runtime/groups/group_state.hpp"
#include "runtime/inert.hpp"

namespace cohort::mpi {

namespace {

detail::Runtime& runtime() { return detail::state_of(Communicator::self().all)->runtime(); }

}  // namespace

void make_progress() { runtime().progress(); }

Request::~Request() = default;

std::uint64_t Request::moment() { return starts.load() + runtime().driver().ended_requests().ends(); }

void Request::start() {
  ++starts;
  parts.clear();
  status = {};
  error = nullptr;
  next_ = 0;
  ended_ = false;
  begin(*this);
  active = true;
}

bool Request::look() {
  if (ended_) return true;
  if (over && !over()) return false;
  while (next_ < parts.size()) {
    if (!parts[next_].ended()) return false;
    take_part();
  }
  end();
  return true;
}

bool Request::test() {
  if (ended_) return true;
  if (over && !over()) {
    make_progress();
    if (!over()) return false;
  }
  for (; next_ < parts.size(); take_part()) {
    try {
      if (!parts[next_].test()) return false;  // it tells the runtime what the program waits for
    } catch (...) {
      keep_error();
    }
  }
  end();
  return true;
}

void Request::wait() {
  if (ended_) return;
  while (over && !over()) {
    make_progress();
    std::this_thread::yield();  // to the thread that completes it
  }
  while (next_ < parts.size()) take_part();
  end();
}

// Waits for the next part.
void Request::take_part() {
  try {
    parts[next_].wait();
  } catch (...) {
    keep_error();
  }
  ++next_;
}

// Of the operation. In a fork, and within an operator, it is the call's: the operation goes on.
void Request::keep_error() {
  if (detail::is_inert()) throw;
  if (!error) error = std::current_exception();
}

void Request::end() {
  ended_ = true;
  if (is_receive && !parts.empty() && !status.cancelled) {
    const cohort::Request& received = parts[0];
    if (received.source() >= 0) status.source = communicator->from_runtime(received.source());
    status.tag = static_cast<int>(received.tag());
    status.bytes = received.received();
  }
  if (error || !finish || status.cancelled) return;
  try {
    finish(*this);
  } catch (...) {
    error = std::current_exception();
  }
}

}  // namespace cohort::mpi
