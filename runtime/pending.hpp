// Operations in progress: what stands behind a Request.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "cohort/detail/call.hpp"
#include "runtime/develop/buffers.hpp"
#include "runtime/ended_requests.hpp"
#include "runtime/play.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

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
    runtime().request_ended(end_);
  }
  // Where the program has the request.
  void held_at(const void* request) {
    end_.held_at.store(request, std::memory_order_relaxed);
    if (end_.passed.load(std::memory_order_relaxed)) runtime().request_moved();
  }

  // Its group forgets it. The destructor of one that could not be waited for does that too.
  void leave_group();

  virtual bool ended() const = 0;
  virtual Pid waits_for() const = 0;
  virtual void fail(const FaultPointer& fault, Pid peer) = 0;           // as far as it has not ended
  virtual void look_for_mismatch() {}                                   // when nothing has happened for a while
  virtual void give_up(const FaultPointer& fault) { fail(fault, -1); }  // because its caller does
  virtual std::exception_ptr error() const = 0;                         // once it has ended
  virtual Count received() const { return 0; }
  virtual Rank source() const { return -1; }  // of what was received
  virtual Buffers buffers() const = 0;
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

// A collective: the schedule at play.
class PendingCollective : public Pending {
 public:
  // The group's next call.
  PendingCollective(std::shared_ptr<GroupState> group, std::shared_ptr<const Call> call, const Problem& problem,
                    std::shared_ptr<const Schedule> schedule);
  bool ended() const override { return play_.ended(); }
  Pid waits_for() const override { return play_.waits_for(); }
  void fail(const FaultPointer& fault, Pid peer) override { play_.fail(fault, peer); }
  void look_for_mismatch() override;
  void give_up(const FaultPointer& fault) override;  // the whole group: the others can't do without this member
  std::exception_ptr error() const override;
  Buffers buffers() const override { return buffers_of(*call_, group().me()); }
  CallKind kind() const override { return play_.call(); }
  std::uint64_t number() const override { return number_; }
  std::string name() const override;
  Doing::Call describe() const override;
  bool sends_more() const override { return !ended(); }

 protected:
  void start() override { play_.advance(); }
  const Call& call() const { return *call_; }

 private:
  FaultPointer fault_of_play() const;

  const std::shared_ptr<const Call> call_;
  const std::uint64_t number_;
  Play play_;
};

// A message out, a message in, or both at once.
class PendingMessages : public Pending, private TransferOwner {
 public:
  PendingMessages(std::shared_ptr<GroupState> group, const Letter* out, const Letter* in);

  // In develop mode, before it begins: a receive that names no source takes its place in the record, or the source that
  // is recorded for it. Throws Error(mismatch) if there is none.
  void follow_record();

  bool ended() const override { return active_ == 0; }
  Pid waits_for() const override { return receives() ? receive_->peer : send_ ? send_->peer : -1; }
  void fail(const FaultPointer& fault, Pid peer) override;
  std::exception_ptr error() const override;
  Count received() const override;
  Rank source() const override;
  Buffers buffers() const override;
  CallKind kind() const override { return {letter_.operation}; }
  std::string name() const override;
  Doing::Call describe() const override;
  bool sends_more() const override { return send_ && send_->active; }

 private:
  void start() override;
  void transfer_ended(Transfer& transfer) override;
  void met(const Transfer& transfer, const Origin& origin) override;
  void address(Transfer& transfer, const Letter& letter);
  void drop_transfers();
  void record();  // what has become of a receive_any
  bool receives() const { return receive_ && (receive_->active || parked_); }

  Letter letter_;  // for errors: the receive if there is one
  std::size_t element_bytes_ = 1;
  std::optional<SendTransfer> send_;
  std::optional<ReceiveTransfer> receive_;
  std::uint64_t number_ = 0;        // of a receive_any, where it is recorded
  std::uint64_t called_after_ = 0;  // so many collectives of both ends, as Overlaps counts them
  bool parked_ = false;             // as in the record, it takes no message before it is given up
  int active_ = 0;
  FaultPointer fault_;
  Pid failed_peer_ = -1;
};

}  // namespace cohort::detail
