// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/matched_message.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/calls/pending_messages.hpp"
#include "runtime/calls/problem_of.hpp"
#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {
namespace {

Pid pid_of(const GroupState& group, const Letter& letter) {
  return letter.operation == Operation::receive_any ? Transfer::any_peer : group.members().pid_of(letter.peer);
}

// A wait for a message that is not received. It has no memory.
class PendingProbe final : public Pending {
 public:
  PendingProbe(GroupPointer state, const Letter& letter) : Pending(std::move(state)), letter_(letter) {}

  // The messenger does not tell of unexpected messages: so this looks, each time, because another thread may receive
  // the message that was there.
  bool ended() const override {
    if (!fault_) {
      found_ = runtime().messenger().find(waits_for(), envelope_of(group(), letter_));
      if (!found_ && waits_for() >= 0) fault_ = runtime().messenger().fault_of(waits_for());
    }
    return found_ || fault_;
  }
  Pid waits_for() const override { return pid_of(group(), letter_); }
  void fail(const FaultPointer& fault, Pid peer) override {
    if (ended()) return;
    fault_ = fault;
    failed_peer_ = peer;
  }
  std::exception_ptr error() const override {
    if (found_ || !fault_) return nullptr;
    return as_error(fault_, letter_.operation, std::nullopt, failed_peer_, place_of(letter_));
  }
  UsedMemories memory() const override { return {}; }
  CallKind kind() const override { return {letter_.operation}; }
  std::string name() const override {
    return fmt::format("a probe with tag {} on group {} (called at {})", letter_.tag, to_string(group().id()),
                       place_of(letter_));
  }
  Doing::Call describe() const override {
    Doing::Call call;
    call.operation = letter_.operation;
    call.group = group().id();
    call.rank = group().me();
    call.tag = letter_.tag;
    call.where = place_of(letter_);
    call.any = letter_.operation == Operation::receive_any;
    for (Rank rank = 0; call.any && rank < group().members().size(); ++rank)
      call.add({group().members().pid_of(rank), rank, false, true});
    if (!call.any) call.add({waits_for(), letter_.peer, false, true});
    return call;
  }
  bool sends_more() const override { return false; }

  const Messenger::Found& found() const { return *found_; }

 private:
  void start(Looks&) override {}

  const Letter letter_;
  mutable std::optional<Messenger::Found> found_;
  mutable FaultPointer fault_;
  Pid failed_peer_ = -1;
};

class PendingTaken final : public PendingMessages {
 public:
  PendingTaken(GroupPointer state, const Letter& letter, const MatchedMessage& message)
      : PendingMessages(std::move(state), nullptr, &letter), tag_(message.tag()) {
    receive_->peer = group().members().pid_of(message.source());
    receive_->envelope = {group().id(), message.number(), Channel::taken};
  }
  std::uint32_t tag() const override { return tag_; }

 private:
  const std::uint32_t tag_;
};

Received received_of(const GroupState& group, const Messenger::Found& found) {
  return {group.members().rank_of(found.from).value_or(-1), static_cast<Count>(found.length),
          static_cast<std::uint32_t>(found.tag)};
}

MatchedMessage take(GroupState& group, const Letter& letter, const Messenger::Found& found) {
  return {received_of(group, found), group.runtime().messenger().take(found, envelope_of(group, letter))};
}

// Calls `with` under the mutex, with the message if there is one.
template <class With>
auto look(const GroupPointer& group, const Letter& letter, const With& with)
    -> std::optional<decltype(with(Messenger::Found{}))> {
  check(*group, letter);
  Runtime& runtime = group->runtime();
  runtime.progress();
  const Runtime::Lock lock(runtime);
  const auto found = runtime.messenger().find(pid_of(*group, letter), envelope_of(*group, letter));
  if (found) return with(*found);
  group->check(letter);
  return std::nullopt;
}

template <class With>
auto wait(const GroupPointer& group, const Letter& letter, const With& with) {
  check(*group, letter);
  PendingProbe pending(group, letter);
  {
    Runtime::Lock lock(group->runtime());
    group->runtime().begin(pending);
    if (!pending.ended()) group->check(letter);
    do {
      group->runtime().wait(lock, pending);
    } while (!pending.ended());
    pending.leave_group();
    if (!pending.error()) return with(pending.found());
  }
  std::rethrow_exception(pending.error());
}

}  // namespace

std::optional<Received> probe(const GroupPointer& group, const Letter& letter) {
  return look(group, letter, [&](const Messenger::Found& found) { return received_of(*group, found); });
}

Received wait_for_message(const GroupPointer& group, const Letter& letter) {
  return wait(group, letter, [&](const Messenger::Found& found) { return received_of(*group, found); });
}

std::optional<MatchedMessage> take_message(const GroupPointer& group, const Letter& letter) {
  return look(group, letter, [&](const Messenger::Found& found) { return take(*group, letter, found); });
}

MatchedMessage wait_and_take(const GroupPointer& group, const Letter& letter) {
  return wait(group, letter, [&](const Messenger::Found& found) { return take(*group, letter, found); });
}

Request start(const GroupPointer& group, MatchedMessage&& message, const Letter& letter) {
  std::shared_ptr<Pending> pending = make_own<PendingTaken>(group, letter, message);
  const Runtime::Lock lock(group->runtime());
  group->runtime().begin_alone(*pending);
  return Request(std::move(pending));
}

}  // namespace cohort::detail
