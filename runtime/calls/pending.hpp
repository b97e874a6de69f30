// Operations in progress: what stands behind a Request.
#pragma once

#include <array>
#include <exception>
#include <memory>
#include <optional>
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

// All of it, at most: what it reads, and what it writes.
using UsedMemories = std::array<UsedMemory, 2>;

// A thing that a caller may wait for. All under the runtime's mutex, but for the destructor of one that has begun.
class Pending {
 public:
  explicit Pending(std::shared_ptr<GroupState> group);
  virtual ~Pending();
  Pending(const Pending&) = delete;

  // Starts it. From here on it lives until it has ended: where that fails, it ends with the error.
  void begin();
  // Before it begins: it is a request's, in progress until it has ended.
  void goes_on() { goes_on_ = true; }
  // It may have ended. Of a request the runtime notes when.
  void may_have_ended() {
    if (!goes_on_ || !ended()) return;
    goes_on_ = false;
    runtime().driver().ended(end_);
  }
  // Where the program has the request.
  void held_at(const void* request) {
    end_.held_at.store(request, std::memory_order_relaxed);
    if (end_.passed.load(std::memory_order_relaxed)) runtime().driver().ended_requests().moved();
  }

  // Its group forgets it. The destructor of one that could not be waited for does that too.
  void leave_group();

  virtual bool ended() const = 0;
  virtual Pid waits_for() const = 0;
  virtual void fail(const FaultPointer& fault, Pid peer) = 0;          // as far as it has not ended
  virtual void look_for_mismatch() {}                                  // when nothing has happened for a while
  virtual void cancel(const FaultPointer& fault) { fail(fault, -1); }  // its caller no longer wants it
  virtual std::exception_ptr error() const = 0;                        // once it has ended
  virtual Count received() const { return 0; }
  virtual Rank source() const { return -1; }  // of what was received
  virtual UsedMemories memory() const = 0;
  virtual CallKind kind() const = 0;
  virtual std::uint64_t number() const { return 0; }  // of a collective, from 1
  virtual std::string name() const = 0;               // "combine #3 on group (0,0) (called at loop.cpp:9)"
  virtual Doing::Call describe() const = 0;
  virtual bool sends_more() const = 0;  // messages go out of it, or may

  // Whether this process is to be asked if it is still there: once.
  bool asks(Pid pid);

  Runtime& runtime() const;
  GroupState& group() const { return *group_; }

  Pending* earlier = nullptr;  // the group's
  Pending* later = nullptr;
  Nanoseconds looked_at{0};  // the runtime's: when, last, because it was asked for and had not ended

 protected:
  virtual void start() = 0;
  std::exception_ptr as_error(const FaultPointer& fault, Operation operation, std::optional<std::uint64_t> number,
                              Pid peer, const Where& where) const;

 private:
  const std::shared_ptr<GroupState> group_;
  bool begun_ = false;
  bool goes_on_ = false;  // a request, which has not ended
  RequestEnd end_;
  std::vector<Pid> asked_;
};

}  // namespace cohort::detail
