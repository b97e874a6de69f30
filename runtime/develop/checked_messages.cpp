// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/checked_messages.hpp"

#include <fmt/format.h>

#include "runtime/calls/call_errors.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

CheckedMessages::CheckedMessages(std::shared_ptr<GroupState> state, const Letter* out, const Letter* in,
                                 DevelopMode& mode)
    : PendingMessages(std::move(state), out, in), mode_(mode) {
  // Bytes match any type at the other end.
  if (send_ && out->type != byte_code) send_->call.type = out->type;
  if (receive_ && in->type != byte_code) receive_->call.type = in->type;
  if (letter_.operation == Operation::receive_any) follow_record();
}

void CheckedMessages::follow_record() {
  ReceiveOrder& order = mode_.receive_order;
  const AnyChannel channel{group().id(), letter_.tag};
  number_ = order.next(channel);
  if (!order.replays()) return;
  const std::optional<Rank> source = order.recorded(channel, number_);
  if (!source || *source >= group().members().size()) {
    const std::string what =
        source ? fmt::format("there call #{} took a message from rank {}, which there is not", number_ + 1, *source)
               : fmt::format("call #{} is not in it", number_ + 1);
    const Pid me = runtime().job().me;
    throw Error(ErrorCode::mismatch,
                fmt::format("{}: this run departs from the record: {} at {} (called at {})", cohort::describe(channel),
                            what, group().describe(me), place_of(letter_)),
                context_of_call(group(), letter_.operation, me, place_of(letter_)));
  }
  if (*source == no_source) {
    receive_->envelope.channel = Channel::nowhere;  // in the recorded run it was cancelled before it took a message
  } else {
    receive_->peer = group().members().pid_of(*source);
  }
}

void CheckedMessages::start(Looks& looks) {
  const bool synchronous = runtime().job().synchronous;
  const auto calls_with = [&](Pid pid) { return synchronous ? mode_.overlaps.calls_with(pid) : 0; };
  if (receive_ && receive_->peer != Transfer::any_peer) called_after_ = calls_with(receive_->peer);
  if (send_) {
    const bool to_oneself = send_->peer == runtime().job().me;  // such a message is always buffered
    if (synchronous && !to_oneself) send_->on_request = true;
    runtime().messenger().note(send_->peer, {place_of(letter_), calls_with(send_->peer)});
  }
  PendingMessages::start(looks);
}

void CheckedMessages::transfer_ended(Transfer& transfer) {
  record();
  PendingMessages::transfer_ended(transfer);
}

void CheckedMessages::fail(const FaultPointer& fault, Pid peer) {
  const bool received = receives();
  PendingMessages::fail(fault, peer);
  if (received && !receives()) record();
}

bool CheckedMessages::cancel_unmet() {
  if (!PendingMessages::cancel_unmet()) return false;
  record();
  return true;
}

void CheckedMessages::record() {
  if (letter_.operation != Operation::receive_any) return;
  runtime().took({{group().id(), letter_.tag}, number_, source()});
}

void CheckedMessages::met(const Transfer& transfer, const Origin& origin) {
  const std::string where = place_of(letter_);
  const std::string between =
      mode_.overlaps.between(transfer.peer, origin.sent_after, called_after_, origin.where, where);
  if (between.empty()) return;
  runtime().warn(fmt::format("{} received, at {}, what {} had sent, at {}, before {}",
                             group().describe(runtime().job().me), where, group().describe(transfer.peer), origin.where,
                             between));
}

}  // namespace cohort::detail
