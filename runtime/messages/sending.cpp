// The messenger's sending half.
#include <algorithm>
#include <utility>

#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"
#include "runtime/messages/pieces.hpp"

namespace cohort {
namespace {

FrameHeader header_of(const SendTransfer& transfer, FrameKind kind) {
  return {.group = transfer.envelope.group,
          .tag = transfer.envelope.tag,
          .length = transfer.length,
          .transfer = transfer.number,
          .kind = kind,
          .channel = transfer.envelope.channel,
          .call = transfer.call};
}

}  // namespace

// The message before it, which will be received before it, still waits to be asked for: what went out unasked now would
// only be in its way. Small ones are in nobody's.
bool Messenger::is_behind(const Peer& peer, const SendTransfer& transfer) {
  if (transfer.length <= small_message || peer.held.empty()) return false;
  const auto latest = peer.held.find(peer.last_number);
  return latest != peer.held.end() && latest->second->envelope == transfer.envelope;
}

void Messenger::start(SendTransfer& transfer) {
  transfer.active = true;
  transfer.length = total_size(transfer.data);
  transfer.handed_over = 0;
  transfer.number = 0;
  transfer.pulled = false;
  transfer.fault = nullptr;
  if (transfer.peer == me_) return send_to_oneself(transfer);

  Peer& peer = peer_of(transfer.peer);
  if (peer.fault) return end(transfer, peer.fault);
  peer.sends.add(transfer);
  if (transfer.envelope.channel == Channel::user) ++peer.sent;

  std::uint64_t eager = transfer.length;
  const bool unasked = !transfer.on_request && !is_behind(peer, transfer);
  if (unasked && eager + message_overhead <= peer.credit) {
    peer.credit -= eager + message_overhead;
  } else {
    // Half of what is left, so that small messages behind a large one still find some.
    const bool some = unasked && peer.credit > 4 * message_overhead;
    eager = some ? std::min(eager, peer.credit / 2 - message_overhead) : 0;
    if (eager > 0) peer.credit -= eager + message_overhead;
    while (transfer.number == 0 || peer.held.contains(transfer.number)) transfer.number = ++peer.last_number;
    peer.held.emplace(transfer.number, &transfer);
  }
  transfer.frame.header = header_of(transfer, FrameKind::message);
  hand_over(peer, transfer, eager);
  if (!transfer.in_transport) advance(transfer);
}

void Messenger::hand_over(Peer& peer, SendTransfer& transfer, std::uint64_t size) {
  transfer.frame.header.payload = static_cast<std::uint32_t>(size);
  transfer.frame.header.credit = peer.pay_back();
  slice(transfer.data, transfer.handed_over, size, transfer.frame.payload);
  transfer.frame.owner = &transfer;
  transfer.handed_over += size;
  transfer.in_transport = true;
  ++peer.frames_sent;
  if (transport_->send(peer.pid, transfer.frame)) transfer.in_transport = false;
}

void Messenger::advance(SendTransfer& transfer) {
  Peer& peer = peer_of(transfer.peer);
  while (!transfer.in_transport) {
    const bool all_handed_over = transfer.handed_over == transfer.length;
    if (transfer.number == 0 || (transfer.pulled && all_handed_over)) {
      peer.sends.remove(transfer);
      return end(transfer);
    }
    if (!transfer.pulled) return;
    transfer.frame.header = header_of(transfer, FrameKind::data);
    transfer.frame.header.offset = transfer.handed_over;
    hand_over(peer, transfer, std::min(transfer.next_data, transfer.length - transfer.handed_over));
    transfer.next_data = transfer.in_transport ? least_data : std::min(2 * transfer.next_data, most_data_);
  }
}

void Messenger::frame_sent(Pid, OutgoingFrame& frame) {
  if (frame.owner == nullptr) {
    recycle(static_cast<OwnFrame&>(frame));
    return;
  }
  SendTransfer& transfer = *static_cast<SendTransfer*>(frame.owner);
  transfer.in_transport = false;
  advance(transfer);
}

void Messenger::recycle(OwnFrame& frame) {
  std::string().swap(frame.words);  // it may be large: what was left of a message that was given up
  frame.to = -1;
  free_frames_.push_back(&frame);
}

// The transport has let go of them.
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

void Messenger::send_control(Peer& peer, const FrameHeader& header, std::string words) {
  OwnFrame& frame = new_frame(peer.pid, header, std::move(words));
  frame.header.credit = peer.pay_back();
  ++peer.frames_sent;
  if (transport_->send(peer.pid, frame)) recycle(frame);
}

void Messenger::send_control(Peer& peer, FrameKind kind, std::uint32_t number) {
  FrameHeader header;
  header.kind = kind;
  header.transfer = number;
  send_control(peer, header);
}

void Messenger::say(Pid pid, const FrameHeader& header, const std::string& words) {
  Peer& peer = peer_of(pid);
  if (pid == me_ || peer.fault) return;
  send_control(peer, header, words.substr(0, longest_words));
}

void Messenger::tell_failure(Pid peer, const GroupId& group, const Fault& fault, bool only_it) {
  FrameHeader header;
  header.kind = FrameKind::failure;
  header.group = group;
  header.length = only_it ? 1 : 0;
  header.tag = static_cast<std::uint64_t>(fault.code);
  header.offset = static_cast<std::uint64_t>(fault.culprit < 0 ? me_ : fault.culprit);
  if (fault.failure) header.transfer = static_cast<std::uint32_t>(fault.failure->pid) + 1;
  say(peer, header, fault.cause);
}

void Messenger::ask_presence(Pid peer, const Envelope& envelope, const CallKind& call, std::uint64_t bytes) {
  FrameHeader header;
  header.kind = FrameKind::presence;
  header.length = bytes;
  header.group = envelope.group;
  header.tag = envelope.tag;
  header.channel = envelope.channel;
  header.call = call;
  say(peer, header, {});
}

void Messenger::tell_absence(Pid peer, const GroupId& group, bool left_job) {
  FrameHeader header;
  header.kind = FrameKind::absence;
  header.group = group;
  header.tag = left_job ? 1 : 0;
  say(peer, header, {});
}

void Messenger::announce(Pid peer, const GroupId& setup, const std::string& words) {
  FrameHeader header;
  header.kind = FrameKind::list;
  header.group = setup;
  ++peer_of(peer).sent;
  say(peer, header, words);
}

void Messenger::note(Pid peer, const Origin& origin) {
  FrameHeader header;
  header.kind = FrameKind::note;
  header.tag = origin.sent_after;
  if (peer == me_) {
    peer_of(peer).note = origin;
  } else {
    say(peer, header, origin.where);
  }
}

void Messenger::send_to_oneself(SendTransfer& transfer) {
  Peer& peer = peer_of(me_);
  const FrameHeader header = header_of(transfer, FrameKind::message);
  if (ReceiveTransfer* receive = take_receive(peer, transfer.envelope)) {
    if (meet(peer, *receive, header, peer.note)) {
      copy_to(receive->memory, transfer.data);
      arrived(peer, *receive, transfer.length);
    }
  } else {
    auto message = std::make_unique<Unexpected>();
    message->envelope = transfer.envelope;
    message->header = header;
    message->size = transfer.length;
    message->complete = true;
    Unexpected& held = hold(peer, std::move(message));
    copy_to(Pieces{Piece{held.bytes.data(), held.size}}, transfer.data);
  }
  end(transfer);
}

// The receiver pulls the rest, or wants none of it.
bool Messenger::pulled(Peer& peer, const FrameHeader& header) {
  const auto found = peer.held.find(header.transfer);
  if (found == peer.held.end()) return true;  // given up meanwhile
  SendTransfer& transfer = *found->second;
  peer.held.erase(found);
  transfer.pulled = true;
  transfer.next_data = least_data;
  if (header.kind == FrameKind::discard) transfer.handed_over = transfer.length;
  if (!transfer.in_transport) advance(transfer);
  return true;
}

bool Messenger::cancel(SendTransfer& transfer) {
  if (!transfer.active) return false;
  Peer& peer = peer_of(transfer.peer);
  if (transfer.in_transport) {  // the receiver may be slow, and the link has to stay whole
    std::string bytes;
    for (const ConstPiece& piece : transfer.frame.payload) {
      bytes.append(reinterpret_cast<const char*>(piece.data), piece.size);
    }
    transport_->relocation()->replace(transfer.peer, transfer.frame,
                                      new_frame(transfer.peer, transfer.frame.header, std::move(bytes)));
    transfer.in_transport = false;
  }
  peer.held.erase(transfer.number);
  peer.sends.remove(transfer);
  transfer.active = false;
  return true;
}

}  // namespace cohort
