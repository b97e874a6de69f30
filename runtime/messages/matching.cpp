// SPDX-License-Identifier: Apache-2.0
// Which receive meets which message.
#include <algorithm>

#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"

namespace cohort {

// The oldest message from this process that a receive with this envelope meets.
const Messenger::Unexpected* Messenger::earliest_from(const Peer& peer, const Envelope& envelope) {
  return envelope.tag == Transfer::any_tag ? peer.unexpected.first_of(envelope.group, envelope.channel)
                                           : peer.unexpected.find(envelope);
}

// The same from any process.
const Messenger::Unexpected* Messenger::earliest(Pid from, const Envelope& envelope) const {
  const Unexpected* first = nullptr;
  const auto look_at = [&](const std::unique_ptr<Peer>& peer) {
    const Unexpected* const message = peer ? earliest_from(*peer, envelope) : nullptr;
    if (message != nullptr && (first == nullptr || message->arrival < first->arrival)) first = message;
  };
  if (from != Transfer::any_peer) {
    look_at(peers_[static_cast<std::size_t>(from)]);
  } else {
    std::ranges::for_each(peers_, look_at);
  }
  return first;
}

std::optional<Messenger::Found> Messenger::find(Pid from, const Envelope& envelope) const {
  const Unexpected* const first = earliest(from, envelope);
  if (first == nullptr) return std::nullopt;
  return Found{first->from, first->envelope.tag, first->message.length};
}

std::uint64_t Messenger::take(const Found& found, const Envelope& envelope) {
  Peer& peer = peer_of(found.from);
  Unexpected* const message = peer.unexpected.pop({envelope.group, found.tag, envelope.channel});
  message->envelope = {envelope.group, ++taken_, Channel::taken};
  peer.unexpected.push(*message);
  return taken_;
}

FaultPointer Messenger::fault_of(Pid pid) const {
  const std::unique_ptr<Peer>& peer = peers_[static_cast<std::size_t>(pid)];
  return peer ? peer->fault : nullptr;
}

ReceiveTransfer* Messenger::older(ReceiveTransfer* one, ReceiveTransfer* other) {
  if (one == nullptr || other == nullptr) return one != nullptr ? one : other;
  return one->posted < other->posted ? one : other;
}

// Takes out the oldest posted receive that matches a message from this process, or returns nullptr.
ReceiveTransfer* Messenger::take_receive(Peer& peer, const Envelope& envelope) {
  if (any_.empty() && !tags_are_open_) return peer.posted.pop(envelope);
  ReceiveTransfer* named = peer.posted.find(envelope);
  ReceiveTransfer* any = any_.find(envelope);
  if (tags_are_open_) {
    const Envelope open{envelope.group, Transfer::any_tag, envelope.channel};
    named = older(named, peer.posted.find(open));
    any = older(any, any_.find(open));
  }
  ReceiveTransfer* const transfer = older(named, any);
  if (transfer == nullptr) return nullptr;
  (transfer == named ? peer.posted : any_).remove(*transfer);
  transfer->peer = peer.pid;
  transfer->envelope = envelope;
  return transfer;
}

}  // namespace cohort
