// SPDX-License-Identifier: Apache-2.0
// Messages over frames: matching by source, group and tag; eager sending within the receiver's credit; pulling the
// rest.
//
// A sender has a window of credit at each receiver. A message that fits into it leaves at once and uses credit until
// the receiver has matched it. Of a longer message, the part that fits leaves at once. The rest waits until the message
// has met a receive, and the receiver pulls it. If the receive was posted before, the first part covers the round trip
// of the pull. A receiver holds at most one window of each sender, plus a header for each message that waits at its
// sender. A waiting message never blocks another one.
//
// Used under the runtime's lock.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/messages/frames.hpp"
#include "runtime/messages/set_aside.hpp"
#include "runtime/messages/transfer.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

// How often a call may look for each message that it needs before it awaits the message. Only the thread that may drive
// looks.
struct Looks {
  unsigned most = 0;
  bool in_vain = false;  // one look was not enough
};

class Messenger : public FrameHandler {
 public:
  struct Listener {
    // The transport has lost the link to a peer; fail_peer() ends the peer's transfers.
    std::function<void(Pid peer, const std::string& cause)> lost;
    // Another process has sent a control frame. If its header is not valid, it is not heard, and its link fails.
    std::function<void(Pid from, frames::Control frame)> heard;
    std::function<bool(const FrameHeader& control)> is_valid = [](const FrameHeader&) { return false; };
    // Whether a group can exist, known here or not.
    std::function<bool(const GroupId& group)> can_exist = [](const GroupId&) { return true; };
    // Names a process in a group, for messages to people.
    std::function<std::string(const GroupId& group, Pid pid)> describe = [](const GroupId&, Pid pid) {
      return "pid " + std::to_string(pid);
    };
  };

  Messenger(Transport& transport, Pid me, Pid processes, Listener listener, std::uint64_t window);
  ~Messenger() override;

  // From now on, frames travel by another transport, which wraps the previous one and injects faults. Faults are drawn
  // for each frame. So pulled data then travel in frames of one length, no matter how much the system takes at once.
  void travel_by(Transport& transport);

  // Starts a transfer. It ends in dispatch(), never within start().
  void start(SendTransfer& transfer);
  void start(ReceiveTransfer& transfer);

  // Sends a message of up to most_at_once bytes, if all of it can leave at once: then it needs no transfer. Otherwise
  // nothing happens.
  static constexpr std::uint64_t most_at_once = 8192;
  bool send_at_once(Pid to, const Envelope& envelope, const CallKind& call, std::span<const ConstPiece> data);

  // A message that may be there, or come soon.
  struct Awaited {
    Pid from = 0;
    Envelope envelope;
    std::span<const Piece> memory{};
    CallKind call{};       // of a collective: the message belongs to the same call
    bool exact = false;    // as in ReceiveTransfer
    std::size_t unit = 1;  // its length is a multiple of this
  };
  // Receives it, if all of it is there after a few looks: then it needs no transfer. Returns its length. Otherwise
  // nothing happens.
  std::optional<std::uint64_t> receive_at_once(const Awaited& awaited, Looks& looks);

  // Cancels a transfer, if it is active. It has then ended, its memory belongs to its owner again, and transfer_ended()
  // is not called. Returns whether it was active.
  bool cancel(SendTransfer& transfer);
  bool cancel(ReceiveTransfer& transfer);

  // A message that has arrived, if only in part, and that no receive has asked for.
  struct Found {
    Pid from = 0;
    std::uint64_t tag = 0;
    std::uint64_t length = 0;
  };
  // The message that a receive with this source (or any_peer) and this envelope (with any_tag) would meet now.
  std::optional<Found> find(Pid from, const Envelope& envelope) const;
  // Takes this message out of the queue. Only a receive in Channel::taken with the returned tag meets it then.
  std::uint64_t take(const Found& found, const Envelope& envelope);
  // The fault of a process that will send nothing more; nullptr if there is none.
  FaultPointer fault_of(Pid peer) const;

  // Tells the owners of the transfers that have ended. Returns whether there were any.
  bool dispatch();

  // Returns credit to peers that are owed half a window or more, if no other frame has carried it. Called when there is
  // nothing else to do, because a separate frame would delay the answer that usually follows a message, and that answer
  // carries the credit.
  void settle_credit();

  // From now on every transfer from and to this process fails with this fault. Disconnects it in the transport.
  void fail_peer(Pid peer, const FaultPointer& fault);

  // The same for every transfer in progress with any peer. The links are gone already.
  void fail_all(const FaultPointer& fault);

  // Nobody will receive in this group any more: drops its messages, also later ones, but not those of set-ups.
  void drop_all_of(const GroupId& group);

  // The fault of a message with this envelope that no receive has asked for and that belongs to another call; or
  // nullptr.
  FaultPointer other_call(const Envelope& envelope, const CallKind& call, Pid& caller) const;

  // Sends a control frame, after all that was sent to this process before. Words beyond longest_words are cut off.
  void tell(Pid peer, frames::Control frame);

  // Announces the line that sends the next message to this process, in develop mode.
  void note(Pid peer, const Origin& origin);

  // The number of users' messages so far: sent to each other process; arrived from all others, if
  // only in part.
  std::vector<std::int64_t> sent() const;
  std::int64_t arrived() const { return arrived_; }

  // Visits the messages that no receive has asked for, with the lines that sent them, if those were noted.
  void for_each_unexpected(
      const std::function<void(Pid from, const frames::Message& message, const std::string& where)>& visit) const;

  // Ends the transfers that wait for a process to send or receive in this group and of which nothing has happened yet.
  void end_standing(Pid peer, const GroupId& group, const FaultPointer& fault);

  // Frames exchanged with each process so far.
  void each_traffic(const std::function<void(Pid pid, std::uint64_t sent, std::uint64_t received)>& visit) const;

  // Bytes of messages that have arrived and that no receive has asked for yet.
  std::uint64_t unexpected_bytes() const { return unexpected_bytes_; }

  bool discards(Pid from) override;
  Guess likely_landing(Pid from, std::size_t least, std::size_t most) override;
  bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) override;
  void frame_ends(Pid from, const FrameHeader& header) override;
  bool frame_arrived(Pid from, const FrameHeader& header, const std::byte* payload) override;
  void frame_sent(Pid to, OutgoingFrame& frame) override;
  void peer_lost(Pid peer, const std::string& cause) override;

  // The credit that each of this many processes gets at each other: at most 4 MiB, and for all of them together at most
  // 64 MiB.
  static std::uint64_t window_for(Pid processes);
  static constexpr std::uint64_t small_message = 1024;  // short enough to delay no other message
  static constexpr std::uint64_t longest_words = 4096;
  // How much of the rest of a message one frame carries. The first frames are short, so that other frames can go
  // between. Frames get longer while the system takes them at once, or where the peer reads them from this process's
  // memory: then nothing waits behind them, and fewer system calls are needed.
  static constexpr std::uint64_t least_data = 512 * 1024;
  static constexpr std::uint64_t most_data = 4 * 1024 * 1024;

 private:
  struct Unexpected;
  struct Peer;

  Peer& peer_of(Pid pid) {
    const std::unique_ptr<Peer>& peer = peers_[static_cast<std::size_t>(pid)];
    return peer ? *peer : new_peer(pid);
  }
  Peer& new_peer(Pid pid);
  template <class AnyTransfer>
  void end(AnyTransfer& transfer, FaultPointer fault = nullptr);
  void fail(Peer& peer, const FaultPointer& fault);
  void end_posted(Peer& peer, const GroupId* group, const FaultPointer& fault);

  // Sending.
  static bool is_behind(const Peer& peer, const SendTransfer& transfer);
  static void give_number(Peer& peer, SendTransfer& transfer);
  bool hand_over(Peer& peer, SendTransfer& transfer, SendTransfer::Phase phase, FrameHeader header, std::uint64_t size);
  void advance(SendTransfer& transfer);  // the transfer's frame has left
  void take_back(SendTransfer& transfer);
  struct OwnFrame;
  OwnFrame& new_frame(Pid to, const FrameHeader& header, std::string words);
  void recycle(OwnFrame& frame);
  void recycle_frames_to(Pid pid);
  void send_own(Peer& peer, const FrameHeader& header, std::string words = {});
  void send_to_oneself(SendTransfer& transfer);
  bool receive_held(ReceiveTransfer& transfer, const Unexpected& message);

  // At once.
  bool has_claim(const Peer& peer, const Envelope& envelope) const;
  static bool fits(const Awaited& awaited, const FrameHeader& header);

  // Receiving.
  ReceiveTransfer* take_receive(Peer& peer, const Envelope& envelope);
  static ReceiveTransfer* older(ReceiveTransfer* one, ReceiveTransfer* other);
  static const Unexpected* earliest_from(const Peer& peer, const Envelope& envelope);
  const Unexpected* earliest(Pid from, const Envelope& envelope) const;
  Unexpected& hold(Peer& peer, std::unique_ptr<Unexpected> message);
  FaultPointer mismatch(const GroupId& group, Pid peer, const CallKind& theirs, const CallKind& ours) const;
  FaultPointer misfit(const ReceiveTransfer& transfer, const frames::Message& message, const Origin& origin) const;
  FaultPointer other_elements(const ReceiveTransfer& transfer, const frames::Message& message,
                              const Origin& origin) const;
  bool meet(Peer& peer, ReceiveTransfer& transfer, const frames::Message& message, const Origin& origin);
  void settle(Peer& peer, ReceiveTransfer& transfer, std::unique_ptr<Unexpected> message);
  void arrived(Peer& peer, ReceiveTransfer& transfer, std::uint64_t size);
  void give_back(Peer& peer, const frames::Message& message);
  bool accept(Peer& peer, const frames::Message& message);
  bool message_begins(Peer& peer, const frames::Message& message, Pieces& landing);
  bool unasked_begins(Peer& peer, const frames::Message& message, Pieces& landing);
  bool data_begins(Peer& peer, const frames::Data& data, Pieces& landing);
  void answered(Peer& peer, const frames::Answer& answer);
  static bool words_begin(Peer& peer, const FrameHeader& header, Pieces& landing);
  void words_end(Peer& peer, const FrameHeader& header);
  void drop(Peer& peer, Unexpected& message);
  void ask_for_parts(Peer& peer);
  Pieces discard(Peer& peer, std::uint64_t size);

  Transport* transport_;
  const Pid me_;
  const std::uint64_t window_;
  std::uint64_t most_data_ = most_data;
  const Listener listener_;
  std::vector<std::unique_ptr<Peer>> peers_;  // by pid, made when first needed
  std::vector<Peer*> creditors_;              // those that may be owed half a window or more
  Transfer* first_ended_ = nullptr;
  Transfer* last_ended_ = nullptr;
  std::vector<std::unique_ptr<OwnFrame>> own_frames_;
  std::vector<OwnFrame*> free_frames_;
  std::vector<std::byte> discarded_;
  std::uint64_t unexpected_bytes_ = 0;
  std::int64_t arrived_ = 0;
  MatchTable<ReceiveTransfer> any_;  // waiting receives that name no source
  SetAside set_aside_;
  std::set<GroupId> dropped_groups_;
  bool tags_are_open_ = false;  // whether a receive has ever taken any tag
  std::uint64_t posts_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace cohort
