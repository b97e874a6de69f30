// SPDX-License-Identifier: Apache-2.0
// A payload is read to where it is likely to go before its header is known. Wherever it does go, each byte comes there.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "runtime/transport/tcp/connection.hpp"
#include "tests/random/random.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

std::byte byte_of(std::uint64_t tag, std::size_t place) { return static_cast<std::byte>(tag * 31 + place * 7); }

// Payloads land in the guessed memory, or elsewhere; a guess is longer or shorter than what comes, or there is none;
// what is not the payload's stays as it is, or need not.
class Guessing final : public FrameHandler {
 public:
  explicit Guessing(std::uint64_t seed) : random_(seed) { guess_again(); }

  Guess likely_landing(Pid, std::size_t least, std::size_t most) override {
    if (guess_.size() < least) return {};
    return {{guess_.data(), std::min(guess_.size(), most)}, before_.empty() ? nullptr : before_.data()};
  }
  bool frame_begins(Pid, const FrameHeader& header, Pieces& landing) override {
    EXPECT_EQ(header.tag, ended);
    elsewhere_.assign(header.payload, std::byte{});
    const bool as_guessed = header.payload <= guess_.size() && random_.once_in(2);
    landing_ = as_guessed ? guess_.data() : elsewhere_.data();
    const bool there = as_guessed && header.payload > 0 && guess_[0] == byte_of(header.tag, 0);
    early += there && guess_[0] != std::byte{} ? 1 : 0;
    const std::size_t half = header.payload / 2;
    landing = {Piece{landing_, half}, Piece{landing_ + half, header.payload - half}};
    if (as_guessed) landing = {Piece{landing_, header.payload}};
    return true;
  }
  void frame_ends(Pid, const FrameHeader& header) override {
    for (std::size_t i = 0; i < header.payload; ++i) wrong += landing_[i] != byte_of(header.tag, i) ? 1 : 0;
    const std::size_t own = landing_ == guess_.data() ? header.payload : 0;
    if (!before_.empty()) overwritten += !std::ranges::equal(guess_.subspan(own), ConstBytes(before_).subspan(own));
    ++ended;
    guess_again();
  }
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}

  std::uint64_t ended = 0;
  int wrong = 0;
  int overwritten = 0;
  int early = 0;  // that were in place before they were asked for

 private:
  void guess_again() {
    memories_.emplace_back(random_.once_in(3) ? 0 : static_cast<std::size_t>(random_.below(200'000)));
    guess_ = memories_.back();
    before_.clear();
    if (random_.once_in(2)) return;
    for (std::byte& byte : guess_) byte = static_cast<std::byte>(random_.below(256));
    before_.assign(guess_.begin(), guess_.end());
  }

  testing::Random random_;
  std::deque<std::vector<std::byte>> memories_;
  std::span<std::byte> guess_;
  std::vector<std::byte> before_;  // what is there, if it is to stay
  std::vector<std::byte> elsewhere_;
  std::byte* landing_ = nullptr;
};

struct Stream {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ends;  // of frames
};

Stream stream_of(std::uint64_t seed, int frames) {
  testing::Random random(seed);
  HeaderWriter writer;
  Stream stream;
  for (int tag = 0; tag < frames; ++tag) {
    FrameHeader header;
    header.tag = static_cast<std::uint64_t>(tag);
    const std::array<std::int64_t, 4> limits{1, 100, 20'000, 200'000};
    header.payload = static_cast<std::uint32_t>(random.below(random.one_of(limits)));
    header.length = header.payload;
    TravellingHeader wire;
    writer.write(header, wire);
    stream.bytes.insert(stream.bytes.end(), wire.data(), wire.data() + travelling_size(wire));
    for (std::size_t i = 0; i < header.payload; ++i) stream.bytes.push_back(byte_of(header.tag, i));
    stream.ends.push_back(stream.bytes.size());
  }
  return stream;
}

// A handler that refuses what comes.
class Refusing final : public FrameHandler {
 public:
  Guess likely_landing(Pid, std::size_t, std::size_t) override {
    return {{memory.data(), memory.size()}, before.data()};
  }
  bool frame_begins(Pid, const FrameHeader&, Pieces&) override { return false; }
  void frame_ends(Pid, const FrameHeader&) override {}
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}

  std::vector<std::byte> memory = std::vector<std::byte>(20'000, std::byte{1});
  const std::vector<std::byte> before = memory;
};

TEST(Guesses, LeaveNothingBehindOfWhatIsRefused) {
  for (const std::size_t damaged : {0u, 1u}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    std::vector<std::byte> frame = frame_bytes(7, 20'000);
    frame[8 * damaged] ^= std::byte{static_cast<unsigned char>(damaged)};
    ASSERT_EQ(::send(ends[1], frame.data(), frame.size(), MSG_NOSIGNAL), static_cast<ssize_t>(frame.size()));
    Refusing handler;
    std::vector<std::byte> staging(Connection::staging_size);
    Connection connection(0);
    connection.start(ends[0]);
    connection.receive(handler, staging);
    EXPECT_TRUE(connection.ended());
    EXPECT_EQ(handler.memory, handler.before);
    for (const int end : ends) ::close(end);
  }
}

TEST(Guesses, RightOrWrongEachByteComesToItsPlace) {
  constexpr int frames = 50;
  std::vector<std::byte> staging(Connection::staging_size);
  int early = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    testing::Random random(seed);
    const std::int64_t most_at_once = random.once_in(2) ? 300 : 150'000;
    Guessing handler(seed);
    Connection connection(0);
    connection.start(ends[0]);
    const auto [bytes, frame_ends] = stream_of(seed, frames);
    for (std::size_t sent = 0; sent < bytes.size();) {
      const std::size_t left =
          random.once_in(2) ? *std::ranges::upper_bound(frame_ends, sent) - sent : bytes.size() - sent;
      const auto size = std::min(left, 1 + static_cast<std::size_t>(random.below(most_at_once)));
      const ssize_t written = ::send(ends[1], bytes.data() + sent, size, MSG_NOSIGNAL);
      ASSERT_GT(written, 0);
      sent += static_cast<std::size_t>(written);
      connection.receive(handler, staging);
    }
    EXPECT_EQ(handler.ended, frames) << "seed " << seed << ": " << connection.failure();
    EXPECT_EQ(handler.wrong, 0) << "seed " << seed;
    EXPECT_EQ(handler.overwritten, 0) << "seed " << seed;
    early += handler.early;
    for (const int end : ends) ::close(end);
  }
  EXPECT_GT(early, 0);
}

}  // namespace
}  // namespace cohort
