// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/player.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace cohort {
namespace {

constexpr std::chrono::seconds patience{60};
constexpr std::uint64_t farewell_tag = ~std::uint64_t{0};

// The contents of frame `number` from one process to another: no two frames are alike, no shift goes unseen.
void fill(std::vector<std::byte>& bytes, Pid from, Pid to, std::uint64_t number) {
  std::uint64_t word = (number * 64 + static_cast<std::uint64_t>(from)) * 64 + static_cast<std::uint64_t>(to) + 1;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof word) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
}

// Cuts memory into pieces of uneven sizes; with more than two pieces, one of them is empty.
template <class Piece, class Byte>
void cut(Byte* data, std::size_t size, int pieces, SmallVector<Piece, 2>& into) {
  if (pieces > 2) into.push_back({data, 0});
  for (; pieces > 1; --pieces) {
    const std::size_t part = size / static_cast<std::size_t>(pieces + 1);
    into.push_back({data, part});
    data += part;
    size -= part;
  }
  if (size > 0 || pieces > 1) into.push_back({data, size});
}

// Whoever still reads it gets it wrong.
void spoil(std::vector<std::byte>& bytes) { std::fill(bytes.begin(), bytes.end(), std::byte{0xee}); }

FrameHeader header_of(Pid from, Pid to, std::uint64_t number, std::size_t size) {
  FrameHeader header;
  header.group = {static_cast<std::uint32_t>(number), from, number * 7};
  header.tag = number;
  header.length = size + number % 3;
  header.offset = number << 33;
  header.transfer = static_cast<std::uint32_t>(to);
  header.payload = static_cast<std::uint32_t>(size);
  header.credit = static_cast<std::uint32_t>(number * 3);
  header.kind = FrameKind::data;
  header.channel = Channel::collective;
  header.call = {Operation::bcast, static_cast<std::int32_t>(number)};
  if (number % 2 == 1) {  // a whole message: those may be held back
    header.kind = FrameKind::message;
    header.length = size;
    header.offset = 0;
    header.call.type = static_cast<std::uint32_t>(number * 5);
  }
  return header;
}

}  // namespace

Player::Player(Pid me, int ranks, Transport& transport)
    : me_(me), transport_(transport), peers_(static_cast<std::size_t>(ranks)) {
  transport.attach(*this);
}

bool Player::send(Pid to, std::size_t size, int pieces) {
  return post(to, header_of(me_, to, peer(to).sent++, size), pieces);
}

bool Player::send_at_once(Pid to, std::size_t size) {
  SendsAtOnce* const sender = transport_.sends_at_once(to);
  if (sender == nullptr) return false;
  std::vector<std::byte> bytes(size);
  const FrameHeader header = header_of(me_, to, peer(to).sent, size);
  fill(bytes, me_, to, header.tag);
  // In up to three pieces.
  ConstPieces pieces;
  cut<ConstPiece, const std::byte>(bytes.data(), bytes.size(), 1 + static_cast<int>(size % 3), pieces);
  if (!sender->send_at_once(to, header, pieces)) return false;
  ++peer(to).sent;
  return true;
}

bool Player::receive_at_once(Pid from) {
  using Look = TakesAtOnce::Look;
  TakesAtOnce* const taker = transport_.takes_at_once(from);
  TakesAtOnce::Next next;
  if (taker == nullptr || taker->look_at_next(from, next) != Look::whole_frame) return false;
  EXPECT_EQ(taker->look_at_next(from, next), Look::whole_frame) << "a frame that nobody took is gone";
  peer(from).arriving.assign(next.payload, next.payload + next.header.payload);
  peer(from).within_frame = true;
  taker->take_next(from);
  frame_ends(from, next.header);
  return true;
}

bool Player::post(Pid to, const FrameHeader& header, int pieces) {
  while (!frames_.empty() && frames_.front().returned) frames_.pop_front();
  Outgoing& outgoing = frames_.emplace_back();
  outgoing.bytes.resize(header.payload);
  fill(outgoing.bytes, me_, to, header.tag);
  outgoing.frame.header = header;
  outgoing.frame.owner = &outgoing;
  outgoing.to = to;
  cut<ConstPiece, const std::byte>(outgoing.bytes.data(), outgoing.bytes.size(), pieces, outgoing.frame.payload);
  ++on_their_way_;
  const bool left = transport_.send(to, outgoing.frame);
  if (left) {
    EXPECT_FALSE(outgoing.returned) << "frame_sent() for a frame that left at once";
    outgoing.returned = true;
    --on_their_way_;
  } else {
    EXPECT_NE(transport_.relocation(), nullptr) << "its memory can't be taken back";
  }
  return left;
}

void Player::frame_sent(Pid to, OutgoingFrame& frame) {
  EXPECT_FALSE(lost(to));
  Outgoing& outgoing = *static_cast<Outgoing*>(frame.owner);
  EXPECT_FALSE(outgoing.returned) << "frame_sent() twice, or after send() returned true";
  outgoing.returned = true;
  --on_their_way_;
  ++sent_later_;
  spoil(outgoing.bytes);
}

void Player::take_back(Pid other) {
  const std::size_t count = frames_.size();
  auto outgoing = frames_.begin();
  for (std::size_t i = 0; i < count; ++i, ++outgoing) {
    if (outgoing->returned || outgoing->to != other) continue;
    Outgoing& copy = frames_.emplace_back();
    copy.bytes = outgoing->bytes;
    copy.frame.header = outgoing->frame.header;
    copy.frame.owner = &copy;
    copy.to = other;
    cut<ConstPiece, const std::byte>(copy.bytes.data(), copy.bytes.size(), 1, copy.frame.payload);
    transport_.relocation()->replace(other, outgoing->frame, copy.frame);
    outgoing->returned = true;
    spoil(outgoing->bytes);
  }
  Peer& from = peer(other);
  for (const auto& bytes : taken_back_) EXPECT_EQ(std::ranges::count(bytes, std::byte{0xee}), std::ssize(bytes));
  if (!from.within_frame) return;
  std::vector<std::byte> elsewhere = from.arriving;
  Pieces landing;
  cut<Piece, std::byte>(elsewhere.data(), elsewhere.size(), 3, landing);
  transport_.relocation()->redirect(other, landing);
  spoil(from.arriving);
  taken_back_.push_back(std::exchange(from.arriving, std::move(elsewhere)));
}

void Player::disconnect(Pid other) {
  transport_.disconnect(other);
  peer(other).disconnected = true;
  forget_frames_to(other);
}

// They are ours again.
void Player::forget_frames_to(Pid other) {
  for (Outgoing& outgoing : frames_) {
    if (outgoing.returned || outgoing.to != other) continue;
    outgoing.returned = true;
    --on_their_way_;
    spoil(outgoing.bytes);
  }
}

Guess Player::likely_landing(Pid from, std::size_t least, std::size_t most) {
  Peer& peer = this->peer(from);
  EXPECT_FALSE(peer.within_frame) << "a guess while a payload is arriving";
  EXPECT_LE(least, most);
  peer.guess.assign(most, std::byte{0xa5});
  untouched_.assign(std::max(most, untouched_.size()), std::byte{0xa5});
  return {{peer.guess.data(), most}, untouched_.data()};
}

bool Player::frame_begins(Pid from, const FrameHeader& header, Pieces& landing) {
  Peer& peer = this->peer(from);
  EXPECT_FALSE(peer.disconnected) << "a frame from pid " << from << ", which was disconnected";
  EXPECT_FALSE(peer.within_frame) << "a frame begins before the last one from pid " << from << " has ended";
  EXPECT_TRUE(peer.cause.empty()) << "a frame after peer_lost(" << from << ")";
  peer.within_frame = true;
  const std::size_t guessed = peer.guess.size();
  if (guessed > 0 && header.payload > 0 && header.payload <= guessed && header.tag % 3 != 0) {
    peer.arriving.swap(peer.guess);  // it may be there already
    peer.guess.clear();
    peer.arriving.resize(header.payload);
    landing.push_back({peer.arriving.data(), header.payload});
    return true;
  }
  peer.arriving.assign(header.payload, std::byte{0});
  cut<Piece, std::byte>(peer.arriving.data(), peer.arriving.size(), 1 + static_cast<int>(header.tag % 6), landing);
  return true;
}

void Player::frame_ends(Pid from, const FrameHeader& header) {
  Peer& peer = this->peer(from);
  EXPECT_TRUE(peer.within_frame);
  peer.within_frame = false;
  EXPECT_EQ(std::ranges::count(peer.guess, std::byte{0xa5}), std::ssize(peer.guess)) << "a wrong guess is not put back";
  peer.guess.clear();
  if (header.tag == farewell_tag) {
    peer.farewell = true;
    return;
  }
  const FrameHeader expected = header_of(from, me_, peer.received, header.payload);
  WireHeader wire;
  WireHeader expected_wire;
  encode(header, wire);
  encode(expected, expected_wire);
  EXPECT_EQ(wire, expected_wire) << "frame " << peer.received << " from pid " << from << " is not the next in order";
  std::vector<std::byte> bytes(header.payload);
  fill(bytes, from, me_, header.tag);
  EXPECT_TRUE(bytes == peer.arriving) << "contents of frame " << header.tag << " from pid " << from;
  ++peer.received;
  if (on_frame) on_frame(from);
}

void Player::peer_lost(Pid pid, const std::string& cause) {
  EXPECT_FALSE(cause.empty());
  EXPECT_FALSE(lost(pid)) << "peer_lost() twice";
  EXPECT_FALSE(peer(pid).disconnected) << "peer_lost() for a peer that was disconnected";
  peer(pid).cause = cause;
  forget_frames_to(pid);
}

void Player::until(const std::function<bool()>& condition, Pid expected) {
  const Nanoseconds end = transport_.now() + patience;
  while (!condition()) {
    if (on_turn) on_turn();
    if (!transport_.poll(expected) && !condition() && !transport_.soon()) wait();
    for (const Peer& peer : peers_) {
      if (!peer.cause.empty() && !peer.may_be_lost && !peer.farewell) {
        throw std::runtime_error("pid " + std::to_string(me_) + " lost a peer: " + peer.cause);
      }
    }
    if (transport_.now() > end) {
      std::string seen;
      for (const Peer& peer : peers_) {
        seen += "; " + std::to_string(peer.received) + " received" + (peer.farewell ? ", farewell" : "") + peer.cause;
      }
      throw std::runtime_error("pid " + std::to_string(me_) + " waited for a minute: " + std::to_string(on_their_way_) +
                               " frames on their way" + seen);
    }
  }
}

void Player::leave() {
  const auto others = [&](const std::function<bool(Pid)>& predicate) {
    for (Pid pid = 0; pid < static_cast<Pid>(peers_.size()); ++pid) {
      if (pid != me_ && !lost(pid) && !peer(pid).disconnected && !predicate(pid)) return false;
    }
    return true;
  };
  FrameHeader farewell;
  farewell.tag = farewell_tag;
  others([&](Pid pid) {
    post(pid, farewell, 1);
    return true;
  });
  until([&] { return all_sent() && others([&](Pid pid) { return peer(pid).farewell; }); });
  transport_.close();
}

}  // namespace cohort
