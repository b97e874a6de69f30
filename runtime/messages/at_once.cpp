// SPDX-License-Identifier: Apache-2.0
// Messages that leave or arrive within the call: they need no transfer.
#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"
#include "runtime/messages/pieces.hpp"

namespace cohort {

bool Messenger::send_at_once(Pid to, const Envelope& envelope, const CallKind& call, std::span<const ConstPiece> data) {
  const std::uint64_t size = total_size(data);
  if (size > most_at_once) return false;
  Peer& peer = peer_of(to);
  if (peer.sender == nullptr || peer.fault || !peer.credit.covers(size)) return false;
  if (size > small_message && !peer.held.empty()) return false;  // start() looks whether it is in another one's way
  FrameHeader header = frames::Message{envelope, call, size, 0, static_cast<std::uint32_t>(size)}.header();
  header.credit = peer.credit.owed();
  if (!peer.sender->send_at_once(to, header, data)) return false;
  peer.credit.use_for_all(size);
  peer.credit.settle();
  if (envelope.channel == Channel::user) ++peer.sent;
  ++peer.frames_sent;
  return true;
}

// Whether the next message with this envelope belongs to another receive, or another message to this receive.
bool Messenger::has_claim(const Peer& peer, const Envelope& envelope) const {
  if (!any_.empty() || peer.unexpected.find(envelope) != nullptr) return true;
  return tags_are_open_ ? !peer.posted.empty() : peer.posted.find(envelope) != nullptr;
}

bool Messenger::fits(const Awaited& awaited, const FrameHeader& header) {
  if (header.kind != FrameKind::message || header.transfer != 0 || header.length != header.payload ||
      header.tag != awaited.envelope.tag || header.channel != awaited.envelope.channel ||
      header.group != awaited.envelope.group)
    return false;
  const std::uint64_t capacity = total_size(awaited.memory);
  if (awaited.exact) return header.length == capacity && header.call == awaited.call;
  return header.length <= capacity && (header.length == capacity || header.length % awaited.unit == 0);
}

// What does not fit, and what makes no sense, takes the usual way: it ends in an error there.
std::optional<std::uint64_t> Messenger::receive_at_once(const Awaited& awaited, Looks& looks) {
  using Look = TakesAtOnce::Look;
  Peer& peer = peer_of(awaited.from);
  if (looks.most == 0 || peer.taker == nullptr || peer.fault || has_claim(peer, awaited.envelope)) return std::nullopt;
  TakesAtOnce::Next next;
  Look look = peer.taker->look_at_next(peer.pid, next);
  for (unsigned left = looks.most; look == Look::nothing && --left > 0; looks.in_vain = true) {
    look = peer.taker->look_at_next(peer.pid, next);
  }
  if (look != Look::whole_frame || !fits(awaited, next.header)) return std::nullopt;
  const frames::Message message = frames::Message::of(next.header);
  if (!peer.credit.regain(next.header.credit) || !accept(peer, message)) return std::nullopt;
  ++peer.frames_received;
  copy_to(awaited.memory, next.payload, message.payload);
  peer.taker->take_next(peer.pid);
  give_back(peer, message);
  return message.length;
}

}  // namespace cohort
