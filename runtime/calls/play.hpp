// SPDX-License-Identifier: Apache-2.0
// The engine: plays one rank's schedule of a collective over the messenger. It is a state machine that blocking and
// non-blocking calls drive alike.
//
// First it plays in the schedule's order what can be done at once: short messages that leave or are there within the
// call, and steps. That is usually all of a short schedule among processes of a host. The rest is driven by the data's
// dependencies.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cohort/detail/reduction.hpp"
#include "collectives/dataflow.hpp"
#include "collectives/stable_list.hpp"
#include "groups/members.hpp"
#include "runtime/later.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/observe/doing.hpp"
#include "runtime/recycled_memory.hpp"

namespace cohort {

// The memory of a schedule's buffers, and how their elements are combined.
struct PlayMemory {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::size_t element_bytes = 1;
  const detail::Reduction* reduction = nullptr;  // for schedules that combine elements
};

class Play : private TransferOwner {
 public:
  // `schedule`, `members`, `memory` and `reduction` outlive the play. `envelope` and `call` mark its messages. `broken`
  // is called when the play fails by itself, not through fail(). `over`, if there is one, is called when the last
  // message has ended: the play is complete or has failed, and no message is in progress.
  Play(Messenger& messenger, const Schedule& schedule, const Members& members, const PlayMemory& memory,
       const Envelope& envelope, const CallKind& call, std::function<void()> broken,
       std::function<void()> over = nullptr);

  // Starts everything that can start now. `looks` are for messages that it needs at once.
  void begin(Looks& looks);

  // The play is complete, or has failed, and no message is in progress any more.
  bool ended() const { return active_ == 0 && (failed() || (dataflow_ ? dataflow_->finished() : is_complete_)); }
  bool failed() const { return fault_ != nullptr; }
  const FaultPointer& fault() const { return fault_; }
  const std::exception_ptr& exception() const { return exception_; }  // of a user's operator; the fault is set, too
  Pid failed_peer() const { return failed_peer_; }

  // Fails, at once.
  void fail(FaultPointer fault, Pid peer);

  // A process from which the play awaits a message, or -1.
  Pid waits_for() const;

  // Adds the messages that the play waits for, and the first round that is not complete.
  void describe(Doing::Call& call) const;
  const CallKind& call() const { return call_; }

 private:
  // One message of the play.
  struct Part {
    Action* action = nullptr;
    SendTransfer send;
    ReceiveTransfer receive;
    Part* after = nullptr;  // the next one in the list of free parts

    Transfer& transfer() {
      return action->kind == Action::Kind::send ? static_cast<Transfer&>(send) : static_cast<Transfer&>(receive);
    }
  };
  static constexpr std::size_t parts_inside = 2;

  void transfer_ended(Transfer& transfer) override;
  Dataflow::Place play_at_once(const std::vector<Round>& rounds, Looks& looks);
  bool send_at_once(const Message& message);
  bool receive_at_once(const Message& message, Looks& looks);
  void advance();
  void start(Action& action);
  void perform(const Step& step);
  std::byte* at(const Segment& segment) const;
  template <class Piece, class Function>
  bool with_pieces(const Segments& segments, const Function& function) const;
  template <class List>
  void add_pieces(const Segments& segments, List& list) const {
    for (const Segment& segment : segments) list.push_back({at(segment), bytes(segment)});
  }
  std::size_t bytes(const Segment& segment) const {
    return static_cast<std::size_t>(segment.count) * memory_.element_bytes;
  }
  Part& new_part();
  void cancel_messages();

  Messenger& messenger_;
  const Schedule& schedule_;
  const Members& members_;
  const PlayMemory memory_;
  const Envelope envelope_;
  const CallKind call_;
  const std::function<void()> broken_;
  const std::function<void()> over_;
  // Little scratch memory is inside, so that a short call needs no allocation.
  static constexpr std::size_t scratch_inside = 1024;
  std::array<std::byte, scratch_inside + RecycledMemory::alignment> short_scratch_;
  RecycledMemory long_scratch_;
  std::byte* scratch_ = nullptr;
  bool is_complete_ = false;  // all of it was done at once
  Later<Dataflow> dataflow_;  // of the rest
  StableList<Part, parts_inside> parts_;
  Part* free_ = nullptr;  // the first free part; Part::after links the others
  std::size_t active_ = 0;
  FaultPointer fault_;
  Pid failed_peer_ = -1;
  std::exception_ptr exception_;
};

}  // namespace cohort
