// SPDX-License-Identifier: Apache-2.0
// Operations in progress: the state behind a Request.
#pragma once

#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cohort/detail/call.hpp"
#include "runtime/drive/ended_requests.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

// Memory that an operation uses.
struct UsedMemory {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool written = false;
};

// All memory of an operation, at most two pieces: one that it reads and one that it writes.
using UsedMemories = std::array<UsedMemory, 2>;

// An operation that a caller may wait for. All functions need the runtime's mutex, except the destructor of an
// operation that has begun.
class Pending {
 public:
  explicit Pending(std::shared_ptr<GroupState> group) : group_(std::move(group)) {}
  virtual ~Pending();
  Pending(const Pending&) = delete;

  // Starts the operation. It must live until it has ended. If the start fails, it ends with that error.
  void begin(Looks& looks);
  // Called before begin(): a request holds the operation, which stays in progress until it has ended.
  void hold() { held_ = true; }
  // Called where the operation may have ended. If a request holds it, the runtime notes its end.
  void may_have_ended() {
    if (!held_ || !ended()) return;
    held_ = false;
    runtime().driver().ended(end_);
  }
  // Whether its end was noted. Without the mutex.
  bool noted() const { return end_.listed.load(std::memory_order_acquire); }
  // Called where the program moves the request: its address now.
  void held_at(const void* request) {
    end_.held_at.store(request, std::memory_order_relaxed);
    if (end_.passed.load(std::memory_order_relaxed)) runtime().driver().ended_requests().moved();
  }

  // Removes the operation from its group. The destructor does that, too, for an operation that nobody could wait for.
  void leave_group();

  virtual bool ended() const = 0;
  virtual Pid waits_for() const = 0;
  virtual void fail(const FaultPointer& fault, Pid peer) = 0;          // unless it has ended
  virtual void look_for_mismatch() {}                                  // called when nothing has happened for a while
  virtual void cancel(const FaultPointer& fault) { fail(fault, -1); }  // its caller no longer wants the operation
  virtual std::exception_ptr error() const = 0;                        // after it has ended
  virtual Count received() const { return 0; }
  virtual Rank source() const { return -1; }       // of the received message
  virtual std::uint32_t tag() const { return 0; }  // of the received message
  // Ends a receive that has not met its message, without an error. Returns whether it did.
  virtual bool cancel_unmet() { return false; }
  virtual UsedMemories memory() const = 0;
  virtual CallKind kind() const = 0;
  virtual std::uint64_t number() const { return 0; }  // of a collective call, from 1
  virtual std::string name() const = 0;               // "combine #3 on group (0,0) (called at loop.cpp:9)"
  virtual Doing::Call describe() const = 0;
  virtual bool sends_more() const = 0;  // whether it may still send messages

  // Whether to ask this process if it is absent: true once for each process.
  bool asks(Pid pid);

  Runtime& runtime() const;
  GroupState& group() const { return *group_; }

  Pending* earlier = nullptr;  // in the group's list
  Pending* later = nullptr;
  // By the runtime: when it last looked because a caller polled the operation in vain, and in which tick.
  Nanoseconds looked_at{0};
  Nanoseconds looked_in{0};
  unsigned left_out = 0;  // rounds of progress that a caller who polls it has left out

 protected:
  virtual void start(Looks& looks) = 0;
  std::exception_ptr as_error(const FaultPointer& fault, Operation operation, std::optional<std::uint64_t> number,
                              Pid peer, const std::string& place) const;

 private:
  const std::shared_ptr<GroupState> group_;
  bool begun_ = false;
  bool held_ = false;  // a request holds the operation, and it has not ended
  RequestEnd end_;
  std::vector<Pid> asked_;
};

}  // namespace cohort::detail
