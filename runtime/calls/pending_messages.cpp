// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/pending_messages.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {
namespace {

// Apart from add(), so that the usual case stays short.
template <class List>
[[gnu::noinline]] void add_pieces(const Letter& letter, List& list) {
  for (const Memory& piece : letter.pieces) {
    if (piece.count > 0) list.push_back({piece.data, static_cast<std::size_t>(piece.count) * letter.element_bytes});
  }
}

template <class List>
void add(const Letter& letter, List& list) {
  if (!letter.pieces.empty()) [[unlikely]]
    return add_pieces(letter, list);
  const Memory& memory = letter.memory;
  if (memory.count > 0) list.push_back({memory.data, static_cast<std::size_t>(memory.count) * letter.element_bytes});
}

}  // namespace

Envelope envelope_of(const GroupState& group, const Letter& letter) {
  return {group.id(), letter.any_tag ? Transfer::any_tag : letter.tag,
          letter.internal ? Channel::interface : Channel::user};
}

PendingMessages::PendingMessages(std::shared_ptr<GroupState> state, const Letter* out, const Letter* in)
    : Pending(std::move(state)), letter_(in != nullptr ? *in : *out), element_bytes_(letter_.element_bytes) {
  letter_.pieces = {};  // the caller's list
  if (in != nullptr) {
    address(receive_.emplace(), *in);
    add(*in, receive_->memory);
  }
  if (out != nullptr) {
    address(send_.emplace(), *out);
    send_->on_request = out->synchronous;
    add(*out, send_->data);
  }
}

void PendingMessages::start(Looks&) {
  Messenger& messenger = runtime().messenger();
  if (receive_) {
    ++active_;
    messenger.start(*receive_);
  }
  if (!send_) return;
  SendTransfer& send = *send_;
  if (!send.on_request && messenger.send_at_once(send.peer, send.envelope, send.call, send.data)) return;
  ++active_;
  messenger.start(send);
}

void PendingMessages::address(Transfer& transfer, const Letter& letter) {
  transfer.peer =
      letter.operation == Operation::receive_any ? Transfer::any_peer : group().members().pid_of(letter.peer);
  transfer.envelope = envelope_of(group(), letter);
  transfer.call = {letter.operation};
  transfer.owner = this;
}

void PendingMessages::transfer_ended(Transfer& transfer) {
  --active_;
  const bool received = receive_ && &transfer == &*receive_;
  const bool filled = received && receive_->length == receive_->capacity;  // the usual case, cheaper than a remainder
  if (!transfer.fault && received && !filled && receive_->length % element_bytes_ != 0) {
    transfer.fault = std::make_shared<const Fault>(Fault{
        ErrorCode::mismatch, fmt::format("the message of {} bytes from {} is no whole number of elements of {} bytes",
                                         receive_->length, group().describe(receive_->peer), element_bytes_)});
  }
  if (transfer.fault && !fault_) {
    fault_ = transfer.fault;  // the other half of an exchange goes on: its peer has done nothing wrong
    failed_peer_ = transfer.peer;
  }
  may_have_ended();
}

void PendingMessages::fail(const FaultPointer& fault, Pid peer) {
  if (active_ == 0) return;
  if (!fault_) {
    fault_ = fault;
    failed_peer_ = peer;
  }
  if (send_ && runtime().messenger().cancel(*send_)) --active_;
  if (receive_ && runtime().messenger().cancel(*receive_)) --active_;
}

bool PendingMessages::cancel_unmet() {
  if (send_ || !receives() || !receive_->standing()) return false;
  runtime().messenger().cancel(*receive_);
  --active_;
  return true;
}

std::exception_ptr PendingMessages::error() const {
  return fault_ ? as_error(fault_, letter_.operation, std::nullopt, failed_peer_, place_of(letter_)) : nullptr;
}

Rank PendingMessages::source() const {
  return receive_ && receive_->peer >= 0 ? group().members().rank_of(receive_->peer).value_or(-1) : -1;
}

UsedMemories PendingMessages::memory() const {
  UsedMemories used;
  if (send_ && send_->active() && !send_->data.empty()) used[0] = {send_->data[0].data, send_->data[0].size, false};
  if (receives() && !receive_->memory.empty()) used[1] = {receive_->memory[0].data, receive_->memory[0].size, true};
  return used;
}

std::string PendingMessages::name() const {
  return fmt::format("{} with tag {} on group {} (called at {})", name_of(letter_.operation), letter_.tag,
                     to_string(group().id()), place_of(letter_));
}

Count PendingMessages::received() const { return receive_ ? static_cast<Count>(receive_->length / element_bytes_) : 0; }

Doing::Call PendingMessages::describe() const {
  Doing::Call call;
  call.operation = letter_.operation;
  call.group = group().id();
  call.rank = group().me();
  call.tag = letter_.tag;
  call.where = place_of(letter_);
  const auto rank_of = [&](const Transfer& transfer) { return group().members().rank_of(transfer.peer).value_or(-1); };
  call.any = receives() && receive_->peer == Transfer::any_peer;
  for (Rank rank = 0; call.any && rank < group().members().size(); ++rank)
    call.add({group().members().pid_of(rank), rank, false, true});
  if (receives() && !call.any) call.add({receive_->peer, rank_of(*receive_), false, receive_->standing()});
  if (send_ && send_->active()) call.add({send_->peer, rank_of(*send_), true, send_->standing()});
  return call;
}

}  // namespace cohort::detail
