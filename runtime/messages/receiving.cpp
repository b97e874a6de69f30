// SPDX-License-Identifier: Apache-2.0
// The messenger's receiving half.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"
#include "runtime/messages/pieces.hpp"

namespace cohort {

using ReceivePhase = ReceiveTransfer::Phase;

void Messenger::start(ReceiveTransfer& transfer) {
  transfer.phase = ReceivePhase::posted;
  transfer.arrived = 0;
  transfer.length = 0;
  transfer.number = 0;
  transfer.fault = nullptr;
  transfer.capacity = total_size(transfer.memory);
  transfer.posted = ++posts_;

  if (transfer.envelope.tag == Transfer::any_tag) tags_are_open_ = true;
  if (transfer.peer == Transfer::any_peer) {
    const Unexpected* const first = earliest(Transfer::any_peer, transfer.envelope);
    if (first == nullptr) return any_.push(transfer);
    transfer.peer = first->from;
  }
  Peer& peer = peer_of(transfer.peer);
  if (transfer.envelope.tag == Transfer::any_tag) {
    if (const Unexpected* const first = earliest_from(peer, transfer.envelope)) transfer.envelope = first->envelope;
  }
  std::unique_ptr<Unexpected> early(peer.unexpected.pop(transfer.envelope));
  if (!early) {
    if (peer.fault) return end(transfer, peer.fault);
    return peer.posted.push(transfer);
  }
  if (peer.pid == me_ && early->message.transfer != 0) {
    if (!receive_held(transfer, *early)) start(transfer);
    return;
  }
  if (peer.fault && early->message.payload < early->message.length) {  // its rest will never arrive
    unexpected_bytes_ -= early->size;
    return end(transfer, peer.fault);
  }
  const bool met = meet(peer, transfer, early->message, early->origin);
  if (early->complete) {
    if (met) return settle(peer, transfer, std::move(early));
    unexpected_bytes_ -= early->size;
    return give_back(peer, early->message);
  }
  peer.incoming.taken_out = std::move(early);
  peer.incoming.unexpected = nullptr;
  peer.incoming.claimed_by = met ? &transfer : nullptr;
}

Messenger::Unexpected& Messenger::hold(Peer& peer, std::unique_ptr<Unexpected> message) {
  message->from = peer.pid;
  message->arrival = ++arrivals_;
  message->bytes = RecycledMemory(message->size);
  if (message->envelope.channel == Channel::user) message->origin = std::exchange(peer.note, {});
  unexpected_bytes_ += message->size;
  peer.unexpected.push(*message);
  return *message.release();
}

// A receive has met its message. If they fit, asks for the rest of the message, if there is one; otherwise ends the
// receive.
bool Messenger::meet(Peer& peer, ReceiveTransfer& transfer, const frames::Message& message, const Origin& origin) {
  FaultPointer fault = misfit(transfer, message, origin);
  if (message.transfer != 0) send_own(peer, frames::Answer{message.transfer, fault == nullptr}.header());
  if (fault) {
    end(transfer, std::move(fault));
    return false;
  }
  transfer.phase = ReceivePhase::arriving;
  transfer.length = message.length;
  if (!transfer.exact) {
    peer.last_filled = message.length == transfer.capacity;
    if (origin.sent_after != 0) transfer.owner->met(transfer, origin);
  }
  if (message.transfer != 0 && message.payload < message.length) {
    transfer.phase = ReceivePhase::awaiting;
    transfer.number = message.transfer;
    peer.awaited[message.transfer] = &transfer;
  }
  return true;
}

void Messenger::settle(Peer& peer, ReceiveTransfer& transfer, std::unique_ptr<Unexpected> message) {
  unexpected_bytes_ -= message->size;
  copy_to(transfer.memory, message->bytes.data(), message->size);
  give_back(peer, message->message);
  arrived(peer, transfer, message->size);
}

void Messenger::arrived(Peer& peer, ReceiveTransfer& transfer, std::uint64_t size) {
  transfer.arrived += size;
  if (transfer.arrived < transfer.length) return;
  if (transfer.phase == ReceivePhase::awaiting) peer.awaited.erase(transfer.number);
  end(transfer);
}

void Messenger::give_back(Peer& peer, const frames::Message& message) {
  if (peer.pid == me_ || peer.fault) return;
  peer.credit.owe(message);
  if (peer.credit.owes_most()) return send_own(peer, frames::Credit{}.header());
  if (peer.credit.owes_half() && !std::exchange(peer.is_creditor, true)) creditors_.push_back(&peer);
}

void Messenger::settle_credit() {
  for (Peer* peer : creditors_) {
    peer->is_creditor = false;
    if (peer->credit.owes_half() && !peer->fault) send_own(*peer, frames::Credit{}.header());
  }
  creditors_.clear();
}

bool Messenger::frame_begins(Pid from, const FrameHeader& header, Pieces& landing) {
  Peer& peer = peer_of(from);
  if (!peer.credit.regain(header.credit)) return false;
  peer.incoming = {};
  peer.incoming.size = header.payload;
  switch (header.kind) {
    case FrameKind::message:
      return message_begins(peer, frames::Message::of(header), landing);
    case FrameKind::data:
      return data_begins(peer, frames::Data::of(header), landing);
    case FrameKind::credit:
      return header.payload == 0;
    case FrameKind::pull:
    case FrameKind::discard:
      if (header.payload != 0) return false;
      answered(peer, frames::Answer::of(header));
      return true;
    case FrameKind::note:
      return words_begin(peer, header, landing);
    case FrameKind::failure:
    case FrameKind::list:
      return listener_.is_valid(header) && words_begin(peer, header, landing);
    case FrameKind::presence:
    case FrameKind::absence:
      if (header.payload != 0 || !listener_.is_valid(header)) return false;
      listener_.heard(from, {header});
      return true;
  }
  return false;
}

bool Messenger::discards(Pid from) { return peer_of(from).incoming.is_discarded; }

// The memory of the only receive that waits for that process, unless the rest of another message is awaited. A
// collective's receive may take all that fits into its memory. A user's receive may, too, if the last message filled
// its memory; but then the old content behind a shorter message must be restored.
Guess Messenger::likely_landing(Pid from, std::size_t least, std::size_t most) {
  const Peer& peer = peer_of(from);
  const ReceiveTransfer* receive = peer.posted.only();
  if (receive == nullptr || !peer.awaited.empty() || receive->memory.empty()) return {};
  const Piece& memory = receive->memory[0];
  if (memory.size < least) return {};
  const Piece wanted{memory.data, std::min(memory.size, most)};
  if (receive->exact) return {wanted};
  const std::byte* before = peer.last_filled ? set_aside_.of(receive->posted, wanted) : nullptr;
  return before != nullptr ? Guess{wanted, before} : Guess{};
}

// Whether a message with this beginning can exist. Counts it.
bool Messenger::accept(Peer& peer, const frames::Message& message) {
  if (!message.valid() || message.payload > window_ || !peer.credit.lend(message)) return false;
  if (message.envelope.channel == Channel::user) ++arrived_;
  return true;
}

bool Messenger::message_begins(Peer& peer, const frames::Message& message, Pieces& landing) {
  if (!accept(peer, message)) return false;
  ReceiveTransfer* const transfer = take_receive(peer, message.envelope);
  if (transfer == nullptr) return unasked_begins(peer, message, landing);
  if (meet(peer, *transfer, message, peer.note)) {
    peer.incoming.receive = transfer;
    slice(transfer->memory, 0, message.payload, landing);
  } else {
    landing = discard(peer, message.payload);
  }
  return true;
}

// Of a message whole in one record the usual case is this: a receive waits for it, and it goes straight there.
bool Messenger::frame_arrived(Pid from, const FrameHeader& header, const std::byte* payload) {
  if (header.kind != FrameKind::message) return Landing::frame_arrived(from, header, payload);
  Peer& peer = peer_of(from);
  const frames::Message message = frames::Message::of(header);
  if (!peer.credit.regain(header.credit) || !accept(peer, message)) return false;
  ++peer.frames_received;
  if (ReceiveTransfer* const transfer = take_receive(peer, message.envelope)) {
    const bool met = meet(peer, *transfer, message, peer.note);
    if (met) copy_to(transfer->memory, payload, message.payload);
    give_back(peer, message);
    if (met) arrived(peer, *transfer, message.payload);
    return true;
  }
  peer.incoming = {};
  Pieces landing;
  if (!unasked_begins(peer, message, landing)) return false;
  copy_to(landing, payload, message.payload);
  if (Unexpected* const held = std::exchange(peer.incoming.unexpected, nullptr)) {
    held->complete = true;
  } else {
    give_back(peer, message);
  }
  return true;
}

// No receive has asked for this message yet.
bool Messenger::unasked_begins(Peer& peer, const frames::Message& message, Pieces& landing) {
  const Envelope& envelope = message.envelope;
  if (dropped_groups_.contains(envelope.group) && envelope.channel != Channel::setup) {
    if (message.transfer != 0) send_own(peer, frames::Answer{message.transfer, false}.header());
    landing = discard(peer, message.payload);
    return true;
  }
  if (!listener_.can_exist(envelope.group)) return false;
  auto early = std::make_unique<Unexpected>();
  early->envelope = envelope;
  early->message = message;
  early->size = message.payload;
  Unexpected& held = hold(peer, std::move(early));
  landing = {Piece{held.bytes.data(), held.size}};
  peer.incoming.unexpected = &held;
  return true;
}

bool Messenger::data_begins(Peer& peer, const frames::Data& data, Pieces& landing) {
  const auto found = peer.awaited.find(data.transfer);
  if (!data.valid() || found == peer.awaited.end() || data.payload > most_data) return false;
  ReceiveTransfer* transfer = found->second;
  if (transfer == nullptr) {
    landing = discard(peer, data.payload);
    if (data.offset + data.payload == data.length) peer.awaited.erase(found);
    return true;
  }
  if (data.offset != transfer->arrived || data.payload > transfer->length - transfer->arrived) return false;
  peer.incoming.receive = transfer;
  slice(transfer->memory, data.offset, data.payload, landing);
  return true;
}

bool Messenger::words_begin(Peer& peer, const FrameHeader& header, Pieces& landing) {
  if (header.payload > longest_words) return false;
  peer.words.resize(header.payload);
  landing = {Piece{reinterpret_cast<std::byte*>(peer.words.data()), header.payload}};
  return true;
}

void Messenger::words_end(Peer& peer, const FrameHeader& header) {
  std::string words = std::exchange(peer.words, {});
  if (header.kind == FrameKind::note) {
    peer.note = {std::move(words), frames::Note::of(header).sent_after};
  } else {
    listener_.heard(peer.pid, {header, std::move(words)});
  }
}

void Messenger::frame_ends(Pid from, const FrameHeader& header) {
  Peer& peer = peer_of(from);
  ++peer.frames_received;
  if (header.kind >= FrameKind::failure) return words_end(peer, header);
  if (header.kind != FrameKind::message && header.kind != FrameKind::data) return;
  auto incoming = std::exchange(peer.incoming, {});
  if (incoming.taken_out) {  // met or dropped while it arrived
    if (incoming.claimed_by != nullptr) return settle(peer, *incoming.claimed_by, std::move(incoming.taken_out));
    unexpected_bytes_ -= incoming.taken_out->size;
    return give_back(peer, incoming.taken_out->message);
  }
  if (incoming.unexpected != nullptr) {
    incoming.unexpected->complete = true;
    return;
  }
  if (header.kind == FrameKind::message) give_back(peer, frames::Message::of(header));
  if (incoming.receive != nullptr) arrived(peer, *incoming.receive, header.payload);
}

void Messenger::drop_all_of(const GroupId& group) {
  dropped_groups_.insert(group);
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (!peer) continue;
    peer->unexpected.for_each([&](Unexpected& message) {
      if (message.envelope.group == group && message.envelope.channel != Channel::setup) drop(*peer, message);
    });
  }
}

void Messenger::drop(Peer& peer, Unexpected& message) {
  peer.unexpected.remove(message);
  std::unique_ptr<Unexpected> owned(&message);
  const std::uint32_t transfer = message.message.transfer;
  const frames::Answer answer{transfer, false};
  if (transfer != 0 && peer.pid == me_) {
    answered(peer, answer);
  } else if (transfer != 0 && !peer.fault) {
    send_own(peer, answer.header());
  }
  if (peer.incoming.unexpected == &message) {  // it is still arriving
    peer.incoming.unexpected = nullptr;
    peer.incoming.taken_out = std::move(owned);
    return;
  }
  unexpected_bytes_ -= message.size;
  give_back(peer, message.message);
}

bool Messenger::cancel(ReceiveTransfer& transfer) {
  if (!transfer.active()) return false;
  const bool awaits_rest = transfer.phase == ReceivePhase::awaiting;
  transfer.phase = ReceivePhase::idle;
  if (transfer.peer == Transfer::any_peer) {
    any_.remove(transfer);
    return true;
  }
  Peer& peer = peer_of(transfer.peer);
  const bool is_arriving = peer.incoming.receive == &transfer;
  const bool is_last = is_arriving && transfer.arrived + peer.incoming.size == transfer.length;
  if (is_arriving) {
    peer.incoming.receive = nullptr;
    if (Relocation* const relocation = transport_->relocation()) {
      relocation->redirect(peer.pid, discard(peer, peer.incoming.size));
    }
  }
  if (peer.incoming.claimed_by == &transfer) peer.incoming.claimed_by = nullptr;
  if (awaits_rest && is_last) {
    peer.awaited.erase(transfer.number);
  } else if (awaits_rest) {
    peer.awaited[transfer.number] = nullptr;
  }
  peer.posted.remove(transfer);
  return true;
}

}  // namespace cohort
