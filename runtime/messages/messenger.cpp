// SPDX-License-Identifier: Apache-2.0
// The part that sending and receiving share: peers, the ends of transfers, failures.
#include "runtime/messages/messenger.hpp"

#include <algorithm>
#include <utility>

#include "runtime/messages/peer.hpp"
#include "runtime/require.hpp"

namespace cohort {

Messenger::Messenger(Transport& transport, Pid me, Pid processes, Listener listener, std::uint64_t window)
    : transport_(&transport),
      me_(me),
      window_(window),
      listener_(std::move(listener)),
      peers_(static_cast<std::size_t>(processes)) {
  transport.attach(*this);
}

Messenger::~Messenger() = default;

void Messenger::travel_by(Transport& transport) {
  transport_ = &transport;
  most_data_ = least_data;
  transport.attach(*this);
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer) ask_for_parts(*peer);
  }
}

std::uint64_t Messenger::window_for(Pid processes) {
  constexpr std::uint64_t all_together = 64 * 1024 * 1024;
  return std::clamp<std::uint64_t>(all_together / static_cast<std::uint64_t>(processes), 4 * 1024, 4 * 1024 * 1024);
}

Messenger::Peer& Messenger::new_peer(Pid pid) {
  std::unique_ptr<Peer>& peer = peers_[static_cast<std::size_t>(pid)];
  peer = std::make_unique<Peer>(pid, window_);
  ask_for_parts(*peer);
  return *peer;
}

void Messenger::ask_for_parts(Peer& peer) {
  if (peer.pid == me_) return;
  peer.sender = transport_->sends_at_once(peer.pid);
  peer.taker = transport_->takes_at_once(peer.pid);
}

template <class AnyTransfer>
void Messenger::end(AnyTransfer& transfer, FaultPointer fault) {
  require(transfer.active(), "a transfer ended twice");
  transfer.phase = AnyTransfer::Phase::idle;
  transfer.fault = std::move(fault);
  transfer.next_ended = nullptr;
  (last_ended_ != nullptr ? last_ended_->next_ended : first_ended_) = &transfer;
  last_ended_ = &transfer;
}

template void Messenger::end(SendTransfer& transfer, FaultPointer fault);
template void Messenger::end(ReceiveTransfer& transfer, FaultPointer fault);

bool Messenger::dispatch() {
  if (first_ended_ == nullptr) return false;
  while (first_ended_ != nullptr) {
    Transfer& transfer = *first_ended_;
    first_ended_ = transfer.next_ended;
    if (first_ended_ == nullptr) last_ended_ = nullptr;
    transfer.owner->transfer_ended(transfer);
  }
  return true;
}

void Messenger::fail_peer(Pid pid, const FaultPointer& fault) {
  Peer& peer = peer_of(pid);
  if (peer.fault) return;
  if (pid != me_) transport_->disconnect(pid);
  recycle_frames_to(pid);
  fail(peer, fault);
}

void Messenger::fail_all(const FaultPointer& fault) {
  std::vector<ReceiveTransfer*> waiting;
  any_.for_each([&](ReceiveTransfer& receive) { waiting.push_back(&receive); });
  for (ReceiveTransfer* receive : waiting) {
    any_.remove(*receive);
    end(*receive, fault);
  }
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer && !peer->fault) fail(*peer, fault);
  }
}

void Messenger::fail(Peer& peer, const FaultPointer& fault) {
  using Phase = ReceiveTransfer::Phase;
  peer.fault = fault;
  while (peer.sends.first() != nullptr) {
    SendTransfer& transfer = *peer.sends.first();
    peer.sends.remove(transfer);
    end(transfer, fault);
  }
  peer.held.clear();

  // Ends receives whose message has begun to arrive, and receives that still wait. Messages that have arrived whole
  // stay for their receives.
  if (ReceiveTransfer* receive = peer.incoming.receive; receive != nullptr && receive->phase == Phase::arriving)
    end(*receive, fault);
  if (peer.incoming.claimed_by != nullptr && peer.incoming.claimed_by->phase == Phase::arriving)
    end(*peer.incoming.claimed_by, fault);
  if (peer.incoming.taken_out) unexpected_bytes_ -= peer.incoming.taken_out->size;
  if (peer.incoming.unexpected != nullptr) {
    unexpected_bytes_ -= peer.incoming.unexpected->size;
    peer.unexpected.remove(*peer.incoming.unexpected);
    delete peer.incoming.unexpected;
  }
  peer.incoming = {};
  for (const auto& [number, receive] : peer.awaited) {
    if (receive != nullptr) end(*receive, fault);
  }
  peer.awaited.clear();
  end_posted(peer, nullptr, fault);
}

// Ends the receives that wait for a message: those of a group, or all.
void Messenger::end_posted(Peer& peer, const GroupId* group, const FaultPointer& fault) {
  std::vector<ReceiveTransfer*> waiting;
  peer.posted.for_each([&](ReceiveTransfer& receive) {
    if (group == nullptr || receive.envelope.group == *group) waiting.push_back(&receive);
  });
  for (ReceiveTransfer* receive : waiting) {
    peer.posted.remove(*receive);
    end(*receive, fault);
  }
}

void Messenger::end_standing(Pid pid, const GroupId& group, const FaultPointer& fault) {
  Peer& peer = peer_of(pid);
  peer.sends.for_each([&](SendTransfer& send) {
    if (!(send.envelope.group == group) || !send.standing()) return;
    take_back(send);
    end(send, fault);
  });
  end_posted(peer, &group, fault);
}

std::vector<std::int64_t> Messenger::sent() const {
  std::vector<std::int64_t> counts(peers_.size());
  std::ranges::transform(peers_, counts.begin(), [](const auto& peer) { return peer ? peer->sent : 0; });
  return counts;
}

void Messenger::for_each_unexpected(
    const std::function<void(Pid from, const frames::Message& message, const std::string& where)>& visit) const {
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (!peer) continue;
    peer->unexpected.for_each(
        [&](const Unexpected& message) { visit(peer->pid, message.message, message.origin.where); });
  }
}

void Messenger::each_traffic(
    const std::function<void(Pid pid, std::uint64_t sent, std::uint64_t received)>& visit) const {
  for (const std::unique_ptr<Peer>& peer : peers_) {
    if (peer && peer->pid != me_) visit(peer->pid, peer->frames_sent, peer->frames_received);
  }
}

// The operations end later, with the failure. Until then they may be cancelled for another reason.
void Messenger::peer_lost(Pid pid, const std::string& cause) {
  peer_of(pid).sends.for_each([](SendTransfer& transfer) { transfer.phase = SendTransfer::Phase::cut_off; });
  recycle_frames_to(pid);
  listener_.lost(pid, cause);
}

Pieces Messenger::discard(Peer& peer, std::uint64_t size) {
  peer.incoming.is_discarded = true;
  // Payloads of several peers may land here at a time, so the buffer never moves. A longer payload lands in it
  // repeatedly.
  constexpr std::uint64_t room = 64 * 1024;
  if (discarded_.empty()) discarded_.resize(room);
  Pieces landing;
  for (; size > room; size -= room) landing.push_back(Piece{discarded_.data(), room});
  landing.push_back(Piece{discarded_.data(), size});
  return landing;
}

}  // namespace cohort
