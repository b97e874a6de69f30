// The messenger's receiving half.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"
#include "runtime/messages/pieces.hpp"

namespace cohort {

namespace {

constexpr std::uint64_t longest_message = std::numeric_limits<std::ptrdiff_t>::max();  // no memory is larger

// What a message has used of its sender's credit.
std::uint64_t credit_used(const FrameHeader& header) {
  const bool only_announced = header.transfer != 0 && header.payload == 0;
  return only_announced ? 0 : header.payload + Messenger::message_overhead;
}

}  // namespace

void Messenger::start(ReceiveTransfer& transfer) {
  transfer.active = true;
  transfer.arrived = 0;
  transfer.length = 0;
  transfer.number = 0;
  transfer.fault = nullptr;
  transfer.capacity = total_size(transfer.memory);
  transfer.posted = ++posts_;

  if (transfer.peer == Transfer::any_peer) transfer.peer = earliest_sender(transfer.envelope);
  if (transfer.peer == Transfer::any_peer) return any_.push(transfer);
  Peer& peer = peer_of(transfer.peer);
  Unexpected* message = peer.unexpected.pop(transfer.envelope);
  if (message == nullptr) {
    if (peer.fault) return end(transfer, peer.fault);
    return peer.posted.push(transfer);
  }
  std::unique_ptr<Unexpected> owned(message);
  if (peer.fault && message->header.payload < message->header.length) {  // its rest will never come
    unexpected_bytes_ -= message->size;
    return end(transfer, peer.fault);
  }
  const bool met = meet(peer, transfer, message->header, message->origin);
  if (message->complete) {
    if (met) return settle(peer, transfer, std::move(owned));
    unexpected_bytes_ -= message->size;
    return give_back(peer, message->header);
  }
  peer.incoming.abandoned = std::move(owned);
  peer.incoming.unexpected = nullptr;
  peer.incoming.claimed_by = met ? &transfer : nullptr;
}

// The sender of the first message with this envelope that nobody has asked for.
Pid Messenger::earliest_sender(const Envelope& envelope) const {
  Pid sender = Transfer::any_peer;
  std::uint64_t earliest = arrivals_ + 1;
  for (const std::unique_ptr<Peer>& peer : peers_) {
    const Unexpected* message = peer ? peer->unexpected.find(envelope) : nullptr;
    if (message == nullptr || message->arrival >= earliest) continue;
    earliest = message->arrival;
    sender = peer->pid;
  }
  return sender;
}

// The receive that was posted first of those that a message from this process is for, or nullptr.
ReceiveTransfer* Messenger::take_receive(Peer& peer, const Envelope& envelope) {
  const ReceiveTransfer* any = any_.find(envelope);
  if (any == nullptr) return peer.posted.pop(envelope);
  const ReceiveTransfer* named = peer.posted.find(envelope);
  if (named != nullptr && named->posted < any->posted) return peer.posted.pop(envelope);
  ReceiveTransfer* transfer = any_.pop(envelope);
  transfer->peer = peer.pid;
  return transfer;
}

Messenger::Unexpected& Messenger::hold(Peer& peer, std::unique_ptr<Unexpected> message) {
  message->arrival = ++arrivals_;
  message->bytes = RecycledMemory(message->size);
  if (message->envelope.channel == Channel::user) message->origin = std::exchange(peer.note, {});
  unexpected_bytes_ += message->size;
  peer.unexpected.push(*message);
  return *message.release();
}

// A receive and its message have found each other. If they fit, asks for the rest where there is one; if not, ends the
// receive.
bool Messenger::meet(Peer& peer, ReceiveTransfer& transfer, const FrameHeader& header, const Origin& origin) {
  FaultPointer fault = misfit(transfer, header, origin);
  if (header.transfer != 0) send_control(peer, fault ? FrameKind::discard : FrameKind::pull, header.transfer);
  if (fault) {
    end(transfer, std::move(fault));
    return false;
  }
  transfer.length = header.length;
  if (!transfer.exact) {
    peer.last_filled = header.length == transfer.capacity;
    if (origin.sent_after != 0) transfer.owner->met(transfer, origin);
  }
  if (header.transfer != 0 && header.payload < header.length) {
    transfer.number = header.transfer;
    peer.awaited[header.transfer] = &transfer;
  }
  return true;
}

void Messenger::settle(Peer& peer, ReceiveTransfer& transfer, std::unique_ptr<Unexpected> message) {
  unexpected_bytes_ -= message->size;
  copy_to(transfer.memory, message->bytes.data(), message->size);
  give_back(peer, message->header);
  arrived(peer, transfer, message->size);
}

void Messenger::arrived(Peer& peer, ReceiveTransfer& transfer, std::uint64_t size) {
  transfer.arrived += size;
  if (transfer.arrived < transfer.length) return;
  if (transfer.number != 0) peer.awaited.erase(transfer.number);
  end(transfer);
}

void Messenger::give_back(Peer& peer, const FrameHeader& header) {
  if (peer.pid == me_ || peer.fault) return;
  peer.owed += credit_used(header);
  if (peer.owed >= window_ / 4 * 3) return send_control(peer, FrameKind::credit, 0);
  if (peer.owed >= window_ / 2 && !std::exchange(peer.is_creditor, true)) creditors_.push_back(&peer);
}

void Messenger::settle_credit() {
  for (Peer* peer : creditors_) {
    peer->is_creditor = false;
    if (peer->owed >= window_ / 2 && !peer->fault) send_control(*peer, FrameKind::credit, 0);
  }
  creditors_.clear();
}

bool Messenger::frame_begins(Pid from, const FrameHeader& header, Pieces& landing) {
  Peer& peer = peer_of(from);
  peer.credit += header.credit;
  if (peer.credit > window_) return false;
  peer.incoming = {};
  peer.incoming.size = header.payload;
  switch (header.kind) {
    case FrameKind::message:
      return message_begins(peer, header, landing);
    case FrameKind::data:
      return data_begins(peer, header, landing);
    case FrameKind::pull:
    case FrameKind::discard:
      return header.payload == 0 && pulled(peer, header);
    case FrameKind::credit:
      return header.payload == 0;
    case FrameKind::presence:
      if (header.payload > 0 || !listener_.can_exist(header.group)) return false;
      if (listener_.asked) listener_.asked(from, header);
      return true;
    case FrameKind::absence:
      if (header.payload > 0 || !listener_.can_exist(header.group)) return false;
      if (listener_.absent) listener_.absent(from, header.group, header.tag != 0);
      return true;
    case FrameKind::failure:
      return header.tag <= static_cast<std::uint64_t>(ErrorCode::internal) && header.transfer <= peers_.size() &&
             words_begin(peer, header, landing);
    case FrameKind::list:
    case FrameKind::note:
      return words_begin(peer, header, landing);
  }
  return false;
}

// Of the one receive that waits for that process, while nothing else of it is awaited. A collective's gets as much as
// it has room for; so may a user's, if the last one did, but what is behind a message that is shorter has to be put
// back.
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

bool Messenger::message_begins(Peer& peer, const FrameHeader& header, Pieces& landing) {
  if (header.payload > window_ || header.payload > header.length || header.length > longest_message) return false;
  if (header.payload < header.length && header.transfer == 0) return false;
  peer.lent += credit_used(header);
  if (peer.lent > window_) return false;
  const Envelope envelope{header.group, header.tag, header.channel};
  if (header.channel == Channel::user) ++arrived_;
  if (ReceiveTransfer* transfer = take_receive(peer, envelope)) {
    if (meet(peer, *transfer, header, peer.note)) {
      peer.incoming.receive = transfer;
      slice(transfer->memory, 0, header.payload, landing);
    } else {
      landing = discard(header.payload);
    }
    return true;
  }
  if (abandoned_.contains(header.group) && header.channel != Channel::setup) {
    if (header.transfer != 0) send_control(peer, FrameKind::discard, header.transfer);
    landing = discard(header.payload);
    return true;
  }
  if (!listener_.can_exist(header.group)) return false;
  auto message = std::make_unique<Unexpected>();
  message->envelope = envelope;
  message->header = header;
  message->size = header.payload;
  Unexpected& held = hold(peer, std::move(message));
  landing = {Piece{held.bytes.data(), held.size}};
  peer.incoming.unexpected = &held;
  return true;
}

bool Messenger::data_begins(Peer& peer, const FrameHeader& header, Pieces& landing) {
  const auto found = peer.awaited.find(header.transfer);
  if (found == peer.awaited.end() || header.payload > most_data) return false;
  ReceiveTransfer* transfer = found->second;
  if (transfer == nullptr) {
    landing = discard(header.payload);
    if (header.offset + header.payload == header.length) peer.awaited.erase(found);
    return true;
  }
  if (header.offset != transfer->arrived || header.payload > transfer->length - transfer->arrived) return false;
  peer.incoming.receive = transfer;
  slice(transfer->memory, header.offset, header.payload, landing);
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
  if (header.kind == FrameKind::failure) {
    const bool known = header.offset < peers_.size();
    const Fault fault{static_cast<ErrorCode>(header.tag), std::move(words), nullptr,
                      known ? static_cast<Pid>(header.offset) : peer.pid};
    ToldFailure told{peer.pid, header.group, std::make_shared<const Fault>(fault)};
    if (header.transfer != 0) told.dead = static_cast<Pid>(header.transfer - 1);
    told.only_we_know = header.length != 0;
    listener_.group_failed(std::move(told));
  } else if (header.kind == FrameKind::list) {
    ++arrived_;
    listener_.announced(peer.pid, header.group, std::move(words));
  } else {
    peer.note = {std::move(words), header.tag};
  }
}

void Messenger::frame_ends(Pid from, const FrameHeader& header) {
  Peer& peer = peer_of(from);
  ++peer.frames_received;
  if (header.kind >= FrameKind::failure) return words_end(peer, header);
  if (header.kind != FrameKind::message && header.kind != FrameKind::data) return;
  auto incoming = std::exchange(peer.incoming, {});
  if (incoming.abandoned) {  // met, or given up, while it arrived
    if (incoming.claimed_by != nullptr) return settle(peer, *incoming.claimed_by, std::move(incoming.abandoned));
    unexpected_bytes_ -= incoming.abandoned->size;
    return give_back(peer, header);
  }
  if (incoming.unexpected != nullptr) {
    incoming.unexpected->complete = true;
    return;
  }
  if (header.kind == FrameKind::message) give_back(peer, header);
  if (incoming.receive != nullptr) arrived(peer, *incoming.receive, header.payload);
}

void Messenger::abandon(const GroupId& group) {
  abandoned_.insert(group);
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
  if (message.header.transfer != 0 && !peer.fault) send_control(peer, FrameKind::discard, message.header.transfer);
  if (peer.incoming.unexpected == &message) {  // it is arriving
    peer.incoming.unexpected = nullptr;
    peer.incoming.abandoned = std::move(owned);
    return;
  }
  unexpected_bytes_ -= message.size;
  give_back(peer, message.header);
}

bool Messenger::cancel(ReceiveTransfer& transfer) {
  if (!transfer.active) return false;
  if (transfer.peer == Transfer::any_peer) {
    any_.remove(transfer);
    transfer.active = false;
    return true;
  }
  Peer& peer = peer_of(transfer.peer);
  const bool is_arriving = peer.incoming.receive == &transfer;
  const bool is_last = is_arriving && transfer.arrived + peer.incoming.size == transfer.length;
  if (is_arriving) {
    peer.incoming.receive = nullptr;
    if (Relocation* const relocation = transport_->relocation()) {
      relocation->redirect(peer.pid, discard(peer.incoming.size));
    }
  }
  if (peer.incoming.claimed_by == &transfer) peer.incoming.claimed_by = nullptr;
  if (transfer.number != 0 && is_last) {
    peer.awaited.erase(transfer.number);
  } else if (transfer.number != 0) {
    peer.awaited[transfer.number] = nullptr;
  }
  peer.posted.remove(transfer);
  transfer.active = false;
  return true;
}

}  // namespace cohort
