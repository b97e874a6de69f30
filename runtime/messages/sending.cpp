// SPDX-License-Identifier: Apache-2.0
// The messenger's sending half.
#include <algorithm>
#include <utility>

#include "runtime/messages/frames.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"
#include "runtime/messages/pieces.hpp"

namespace cohort {
namespace {

using SendPhase = SendTransfer::Phase;

frames::Message message_of(const SendTransfer& transfer, std::uint64_t payload) {
  return {transfer.envelope, transfer.call, transfer.length, transfer.number, static_cast<std::uint32_t>(payload)};
}

}  // namespace

// Whether this message follows one with the same envelope that still waits to be pulled. The earlier one will be
// received first, so an eager part of this one would only be in its way. Small messages are in nobody's way.
bool Messenger::is_behind(const Peer& peer, const SendTransfer& transfer) {
  if (transfer.length <= small_message || peer.held.empty()) return false;
  const auto latest = peer.held.find(peer.last_number);
  return latest != peer.held.end() && latest->second->envelope == transfer.envelope;
}

void Messenger::start(SendTransfer& transfer) {
  transfer.phase = SendPhase::leaving;
  transfer.length = total_size(transfer.data);
  transfer.handed_over = 0;
  transfer.number = 0;
  transfer.fault = nullptr;
  if (transfer.peer == me_) return send_to_oneself(transfer);

  Peer& peer = peer_of(transfer.peer);
  if (peer.fault) return end(transfer, peer.fault);
  peer.sends.add(transfer);
  if (transfer.envelope.channel == Channel::user) ++peer.sent;

  std::uint64_t eager = transfer.length;
  SendPhase phase = SendPhase::leaving;
  const bool unasked = !transfer.on_request && !is_behind(peer, transfer);
  if (!unasked || !peer.credit.use_for_all(transfer.length)) {
    eager = unasked ? peer.credit.use_for_part(transfer.length) : 0;
    phase = SendPhase::announcing;
    give_number(peer, transfer);
  }
  if (hand_over(peer, transfer, phase, message_of(transfer, eager).header(), eager)) advance(transfer);
}

// The message waits to be pulled, under this number.
void Messenger::give_number(Peer& peer, SendTransfer& transfer) {
  while (transfer.number == 0 || peer.held.contains(transfer.number)) transfer.number = ++peer.last_number;
  peer.held.emplace(transfer.number, &transfer);
}

// Gives the next part to the transport. Returns whether the part has left already.
bool Messenger::hand_over(Peer& peer, SendTransfer& transfer, SendPhase phase, FrameHeader header, std::uint64_t size) {
  transfer.phase = phase;
  transfer.frame.header = header;
  transfer.frame.header.credit = peer.credit.settle();
  slice(transfer.data, transfer.handed_over, size, transfer.frame.payload);
  transfer.frame.owner = &transfer;
  transfer.handed_over += size;
  ++peer.frames_sent;
  return transport_->send(peer.pid, transfer.frame);
}

void Messenger::advance(SendTransfer& transfer) {
  Peer& peer = peer_of(transfer.peer);
  if (transfer.phase == SendPhase::announcing) {
    transfer.phase = SendPhase::announced;
    return;
  }
  if (transfer.frame.written == 0) transfer.next_data = most_data_;  // the peer has read the last frame from here
  while (transfer.handed_over < transfer.length) {
    const std::uint64_t size = std::min(transfer.next_data, transfer.length - transfer.handed_over);
    const frames::Data data{transfer.number, transfer.length, transfer.handed_over, static_cast<std::uint32_t>(size)};
    const bool left = hand_over(peer, transfer, SendPhase::following, data.header(), size);
    transfer.next_data = left ? std::min(2 * transfer.next_data, most_data_) : least_data;
    if (!left) return;
  }
  peer.sends.remove(transfer);
  end(transfer);
}

void Messenger::frame_sent(Pid, OutgoingFrame& frame) {
  if (frame.owner == nullptr) return recycle(static_cast<OwnFrame&>(frame));
  advance(*static_cast<SendTransfer*>(frame.owner));
}

void Messenger::recycle(OwnFrame& frame) {
  std::string().swap(frame.words);  // it may be large: it held the rest of a cancelled message
  frame.to = -1;
  free_frames_.push_back(&frame);
}

// The transport no longer holds these frames.
void Messenger::recycle_frames_to(Pid pid) {
  for (const std::unique_ptr<OwnFrame>& frame : own_frames_) {
    if (frame->to == pid) recycle(*frame);
  }
}

Messenger::OwnFrame& Messenger::new_frame(Pid to, const FrameHeader& header, std::string words) {
  if (free_frames_.empty()) {
    own_frames_.push_back(std::make_unique<OwnFrame>());
    free_frames_.push_back(own_frames_.back().get());
  }
  OwnFrame& frame = *free_frames_.back();
  free_frames_.pop_back();
  frame.to = to;
  frame.words = std::move(words);
  frame.header = header;
  frame.header.payload = static_cast<std::uint32_t>(frame.words.size());
  frame.payload.clear();
  if (!frame.words.empty()) {
    frame.payload.push_back({reinterpret_cast<const std::byte*>(frame.words.data()), frame.words.size()});
  }
  return frame;
}

void Messenger::send_own(Peer& peer, const FrameHeader& header, std::string words) {
  OwnFrame& frame = new_frame(peer.pid, header, std::move(words));
  frame.header.credit = peer.credit.settle();
  ++peer.frames_sent;
  if (transport_->send(peer.pid, frame)) recycle(frame);
}

void Messenger::tell(Pid pid, frames::Control frame) {
  Peer& peer = peer_of(pid);
  if (pid == me_ || peer.fault) return;
  if (frame.words.size() > longest_words) frame.words.resize(longest_words);
  send_own(peer, frame.header, std::move(frame.words));
}

void Messenger::note(Pid pid, const Origin& origin) {
  Peer& peer = peer_of(pid);
  if (pid == me_) {
    peer.note = origin;
  } else if (!peer.fault) {
    send_own(peer, frames::Note{origin.sent_after}.header(), origin.where.substr(0, longest_words));
  }
}

void Messenger::send_to_oneself(SendTransfer& transfer) {
  Peer& peer = peer_of(me_);
  const frames::Message message = message_of(transfer, 0);
  if (ReceiveTransfer* receive = take_receive(peer, transfer.envelope)) {
    if (meet(peer, *receive, message, peer.note)) {
      copy_to(receive->memory, transfer.data);
      arrived(peer, *receive, transfer.length);
    }
  } else {
    auto early = std::make_unique<Unexpected>();
    early->envelope = transfer.envelope;
    early->complete = true;
    if (transfer.on_request) {
      give_number(peer, transfer);
      peer.sends.add(transfer);
      transfer.phase = SendPhase::announced;
      early->message = message_of(transfer, 0);
      hold(peer, std::move(early));
      return;
    }
    early->message = message;
    early->size = transfer.length;
    Unexpected& held = hold(peer, std::move(early));
    copy_to(Pieces{Piece{held.bytes.data(), held.size}}, transfer.data);
  }
  end(transfer);
}

// A receive meets a message to oneself that waits in its sender's memory. Returns false if the send was cancelled.
bool Messenger::receive_held(ReceiveTransfer& transfer, const Unexpected& message) {
  Peer& peer = peer_of(me_);
  const auto found = peer.held.find(message.message.transfer);
  if (found == peer.held.end()) return false;
  SendTransfer& send = *found->second;
  peer.held.erase(found);
  peer.sends.remove(send);
  frames::Message whole = message.message;
  whole.transfer = 0;
  if (meet(peer, transfer, whole, message.origin)) {
    copy_to(transfer.memory, send.data);
    arrived(peer, transfer, send.length);
  }
  end(send);
  return true;
}

// The receiver asks for the rest of a message, or drops it.
void Messenger::answered(Peer& peer, const frames::Answer& answer) {
  const auto found = peer.held.find(answer.transfer);
  if (found == peer.held.end()) return;  // cancelled meanwhile
  SendTransfer& transfer = *found->second;
  peer.held.erase(found);
  transfer.next_data = least_data;
  if (!answer.wanted) transfer.handed_over = transfer.length;
  const bool first_part_has_left = std::exchange(transfer.phase, SendPhase::answered) == SendPhase::announced;
  if (first_part_has_left) advance(transfer);
}

// Removes the transfer from the messenger and from the transport.
void Messenger::take_back(SendTransfer& transfer) {
  Peer& peer = peer_of(transfer.peer);
  if (transfer.in_transport()) {  // the frame must still leave whole, maybe to a slow receiver: from a copy
    std::string bytes;
    for (const ConstPiece& piece : transfer.frame.payload) {
      bytes.append(reinterpret_cast<const char*>(piece.data), piece.size);
    }
    transport_->relocation()->replace(transfer.peer, transfer.frame,
                                      new_frame(transfer.peer, transfer.frame.header, std::move(bytes)));
  }
  peer.held.erase(transfer.number);
  peer.sends.remove(transfer);
}

bool Messenger::cancel(SendTransfer& transfer) {
  if (!transfer.active()) return false;
  take_back(transfer);
  transfer.phase = SendPhase::idle;
  return true;
}

}  // namespace cohort
