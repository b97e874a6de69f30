// SPDX-License-Identifier: Apache-2.0
// One rank of a contract test: sends frames whose contents follow from their numbers, and checks what arrives.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

class Player final : public FrameHandler {
 public:
  // `ranks` as in the world.
  Player(Pid me, int ranks, Transport& transport);

  // Sends the next frame to a peer, in so many pieces. Returns what Transport::send returned.
  bool send(Pid to, std::size_t size, int pieces = 1);

  // The same, if it can leave at once.
  bool send_at_once(Pid to, std::size_t size);

  // Takes the next frame from a peer, if all of it is there and the transport lets it be taken.
  bool receive_at_once(Pid from);

  // Takes back the memory of the frames that are on their way to a peer, and of the one that is arriving from it.
  void take_back(Pid other);

  // Polls and waits until the condition holds. Throws after a minute of the transport's time, or if a peer is lost
  // that was not expected to be.
  void until(const std::function<bool()>& condition, Pid expected = -1);

  // Breaks the link: nothing is heard of this peer from here on.
  void disconnect(Pid other);

  std::size_t received(Pid from) const { return peer(from).received; }
  std::size_t sent_later() const { return sent_later_; }
  bool all_sent() const { return on_their_way_ == 0; }
  bool lost(Pid pid) const { return !peer(pid).cause.empty(); }
  const std::string& cause(Pid pid) const { return peer(pid).cause; }
  void expect_loss(Pid pid) { peer(pid).may_be_lost = true; }

  // Meets all the others that are not lost, then closes the transport.
  void leave();

  // Called for each frame that has arrived, from within the handler.
  std::function<void(Pid from)> on_frame;
  // Called again and again while until() waits.
  std::function<void()> on_turn;
  // How until() waits where nothing happens.
  std::function<void()> wait = [this] { transport_.wait(std::chrono::milliseconds(500)); };

 private:
  struct Outgoing {
    OutgoingFrame frame;
    Pid to = -1;
    std::vector<std::byte> bytes;
    bool returned = false;  // it is ours again
  };
  struct Peer {
    std::size_t sent = 0;
    std::size_t received = 0;
    bool farewell = false;
    bool may_be_lost = false;
    std::string cause;
    std::vector<std::byte> arriving;
    std::vector<std::byte> guess;  // memory that was named as likely, and is not in use
    bool within_frame = false;
    bool disconnected = false;
  };

  bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) override;
  Guess likely_landing(Pid from, std::size_t least, std::size_t most) override;
  void frame_ends(Pid from, const FrameHeader& header) override;
  void frame_sent(Pid to, OutgoingFrame& frame) override;
  void peer_lost(Pid pid, const std::string& cause) override;

  void forget_frames_to(Pid other);
  bool post(Pid to, const FrameHeader& header, int pieces);
  Peer& peer(Pid pid) { return peers_[static_cast<std::size_t>(pid)]; }
  const Peer& peer(Pid pid) const { return peers_[static_cast<std::size_t>(pid)]; }

  const Pid me_;
  Transport& transport_;
  std::vector<Peer> peers_;
  std::list<Outgoing> frames_;
  std::vector<std::vector<std::byte>> taken_back_;  // nobody writes there any more
  std::vector<std::byte> untouched_;                // what guessed memory holds
  std::size_t on_their_way_ = 0;
  std::size_t sent_later_ = 0;
};

}  // namespace cohort
