// SPDX-License-Identifier: Apache-2.0
// Small messages that follow one another are held back, and all of them arrive, in order, whatever makes them leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

constexpr std::size_t frames_in_a_burst = 20;

// The transport of pid 0, and a socket that is pid 1.
class Burst : public ::testing::Test {
 protected:
  void SetUp() override {
    transport = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
    transport->attach(handler);
    std::thread greeting([&] { peer = std::make_unique<RawPeer>(greeted()); });
    hear_one();
    greeting.join();
  }
  RawPeer greeted() {
    RawPeer raw = RawPeer::connect_to(job.port(0));
    EXPECT_EQ(raw.greet(job.job_of(1), 0), handshake::Verdict::accepted);
    raw.write(frame_bytes(0, 0));
    return raw;
  }

  // Something happens, so that the process does not count as one that may go to sleep.
  void hear_one() {
    const auto end = transport->now() + std::chrono::seconds(10);
    for (const int before = handler.frames; handler.frames == before && transport->now() < end;) transport->poll(-1);
  }
  void rouse() {
    peer->write(frame_bytes(0, 0));
    hear_one();
  }

  // As closely as it goes: all is made before.
  void send(const std::vector<std::size_t>& sizes) {
    frames.clear();
    bytes.clear();
    for (const std::size_t size : sizes) add(size);
    std::size_t left = 0;
    for (const auto& frame : frames) left += transport->send(1, *frame) ? 1 : 0;
    EXPECT_EQ(left, sizes.size());
    for (auto& some : bytes) std::ranges::fill(some, std::byte{0xee});  // they are ours again
  }
  void add(std::size_t size) {
    frames.push_back(std::make_unique<OutgoingFrame>());
    OutgoingFrame& frame = *frames.back();
    bytes.push_back(std::vector<std::byte>(size, static_cast<std::byte>(++number)));
    frame.header.kind = FrameKind::message;
    frame.header.tag = number;
    frame.header.length = frame.header.payload = static_cast<std::uint32_t>(size);
    if (size > 0) frame.payload.push_back({bytes.back().data(), size});
    TravellingHeader wire;
    writer.write(frame.header, wire);
    for (const ConstBytes part : {ConstBytes(wire).first(travelling_size(wire)), ConstBytes(bytes.back())}) {
      expected.append(reinterpret_cast<const char*>(part.data()), part.size());
    }
  }
  // Tags from 0 on. Returns how many frames were taken.
  std::size_t send_without_owners_until_full() {
    const std::vector<std::byte> memory(512);
    const ConstPiece payload{memory.data(), memory.size()};
    FrameHeader header{.kind = FrameKind::message};
    header.length = header.payload = static_cast<std::uint32_t>(payload.size);
    while (transport->sends_at_once(1)->send_at_once(1, header, {&payload, 1})) ++header.tag;
    return header.tag;
  }
  // Something was held back if some of the calls followed each other closely, which nobody can promise.
  void play_until_held_back(const std::function<void()>& round) {
    transport->batching()->hold_back([&] { ++begun; });
    const auto end = transport->now() + std::chrono::seconds(30);
    for (int i = 0; i < 100 || (begun == 0 && transport->now() < end); ++i) {
      rouse();
      round();
    }
    EXPECT_GT(begun, 0);
  }
  void expect_all() {
    const std::string arrived = peer->read(expected.size());
    EXPECT_EQ(arrived.size(), expected.size());
    EXPECT_TRUE(arrived == expected) << "other bytes";
    expected.clear();
  }
  void poll_until_idle() {
    while (transport->poll(-1)) {
    }
  }

  LocalJob job{2};
  Taker handler;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<RawPeer> peer;
  std::vector<std::unique_ptr<OutgoingFrame>> frames;
  std::vector<std::vector<std::byte>> bytes;
  HeaderWriter writer;  // as the transport's
  std::string expected;
  std::size_t number = 0;
  int begun = 0;
};

// Of sizes that may be held back, too large ones, and none.
std::vector<std::size_t> sizes_of_all_kinds() {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < frames_in_a_burst; ++i) sizes.push_back(i % 7 == 6 ? 5000 : i * 331 % 1025);
  return sizes;
}

const std::vector<std::size_t> small_ones(frames_in_a_burst, 64);

TEST_F(Burst, LeavesWhenThereIsNothingElseToDo) {
  play_until_held_back([&] {
    send(sizes_of_all_kinds());
    poll_until_idle();
    expect_all();
  });
}

TEST_F(Burst, LeavesByFlush) {
  play_until_held_back([&] {
    send(sizes_of_all_kinds());
    transport->batching()->flush();
    expect_all();
  });
}

TEST_F(Burst, LeavesWithWhatIsNotHeldBack) {
  play_until_held_back([&] {
    std::vector<std::size_t> sizes = small_ones;
    sizes.push_back(100'000);
    send(sizes);
    expect_all();
  });
}

TEST_F(Burst, LeavesBeforeTheTransportCloses) {
  play_until_held_back([&] { send(small_ones); });
  std::thread reader([&] {
    expect_all();
    peer.reset();
  });
  transport->close();
  reader.join();
}

// A driver that has found nothing may be asleep, and would not let leave what another thread has held back.
TEST_F(Burst, IsNotHeldBackWhereTheDriverMayBeAsleep) {
  transport->batching()->hold_back([&] { ++begun; });
  for (int round = 0; round < 100; ++round) {
    poll_until_idle();
    send(small_ones);
    expect_all();
  }
  EXPECT_EQ(begun, 0);
}

TEST_F(Burst, IsNoneWhereEachMessageFollowsAnAnswer) {
  transport->batching()->hold_back([&] { ++begun; });
  for (int round = 0; round < 100; ++round) {
    rouse();
    send({8});
    expect_all();
  }
  EXPECT_EQ(begun, 0);
}

TEST_F(Burst, IsNotHeldBackUnlessThatIsAllowed) {
  for (int round = 0; round < 100; ++round) {
    rouse();
    send(small_ones);
    expect_all();
  }
}

// Frames that somebody waits for to go on: a part of a message, and what is no message.
TEST_F(Burst, HoldsBackWholeMessagesOnly) {
  transport->batching()->hold_back([&] { ++begun; });
  rouse();
  std::vector<OutgoingFrame> others(2 * frames_in_a_burst);
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i].header.kind = i % 2 == 0 ? FrameKind::message : FrameKind::pull;
    others[i].header.length = 1 << 20;
    EXPECT_TRUE(transport->send(1, others[i]));
  }
  EXPECT_EQ(begun, 0);
  EXPECT_EQ(peer->read_frames(others.size()).size(), others.size());
}

TEST_F(Burst, IsDroppedWithItsPeer) {
  transport->batching()->hold_back([&] { ++begun; });
  rouse();
  send(small_ones);
  transport->disconnect(1);
  transport->batching()->flush();
  poll_until_idle();
  send({64});
  EXPECT_FALSE(handler.lost);
}

// What the peer does not read stays in order behind what the socket took.
TEST_F(Burst, WaitsForASocketThatIsFull) {
  transport->batching()->hold_back([&] { ++begun; });
  rouse();
  const std::vector<std::byte> payload(512);
  std::vector<std::unique_ptr<OutgoingFrame>> waiting;
  std::size_t count = 0;
  for (bool taken = true; taken; ++count) {
    waiting.push_back(std::make_unique<OutgoingFrame>());
    waiting.back()->header.kind = FrameKind::message;
    waiting.back()->header.tag = count;
    waiting.back()->header.length = waiting.back()->header.payload = static_cast<std::uint32_t>(payload.size());
    waiting.back()->payload = {{payload.data(), payload.size()}};
    taken = transport->send(1, *waiting.back());
  }
  std::vector<FrameHeader> arrived;
  std::thread reader([&] { arrived = peer->read_frames(count); });
  const auto end = transport->now() + std::chrono::seconds(10);
  while (handler.sent_later == 0 && transport->now() < end) transport->poll(-1);
  poll_until_idle();
  reader.join();
  ASSERT_EQ(arrived.size(), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(arrived[i].tag, i);
}

// Whoever has sent it may compute, and poll no more.
TEST_F(Burst, WhatTheSocketDidNotTakeOfFramesWithoutOwnersLeavesWithoutAPoll) {
  transport->batching()->hold_back([&] { ++begun; });
  rouse();
  const std::size_t sent = send_without_owners_until_full();
  EXPECT_GT(begun, 0);
  std::atomic<bool> arrived = false;
  std::thread reader([&] {
    const std::vector<FrameHeader> headers = peer->read_frames(sent);
    EXPECT_EQ(headers.size(), sent);
    for (std::size_t i = 0; i < headers.size(); ++i) EXPECT_EQ(headers[i].tag, i);
    arrived = true;
  });
  for (int flushes = 0; !arrived;) {
    std::this_thread::yield();
    if (begun == flushes) continue;  // nobody is asked to flush
    flushes = begun;
    transport->batching()->flush();
  }
  reader.join();
}

// The thread that flushes has gone.
TEST_F(Burst, AsksNobodyToFlushOnceThatIsOver) {
  transport->batching()->hold_back([&] { ++begun; });
  transport->batching()->hold_back({});
  rouse();
  send_without_owners_until_full();
  transport->batching()->flush();
  EXPECT_EQ(begun, 0);
}

TEST_F(Burst, AFrameWithoutAnOwnerMeetsALinkThatBreaks) {
  rouse();
  peer->reset();
  SendsAtOnce* const sender = transport->sends_at_once(1);
  FrameHeader header{.kind = FrameKind::message};
  const auto end = transport->now() + std::chrono::seconds(10);
  while (sender->send_at_once(1, header, {}) && transport->now() < end) std::this_thread::yield();
  OutgoingFrame frame;
  EXPECT_FALSE(handler.lost);
  EXPECT_FALSE(transport->send(1, frame));
  poll_until_idle();
  EXPECT_TRUE(handler.lost);
  EXPECT_FALSE(sender->send_at_once(1, header, {}));
}

}  // namespace
}  // namespace cohort
