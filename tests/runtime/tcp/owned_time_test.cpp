// SPDX-License-Identifier: Apache-2.0
// Limits and intervals of a transport whose time the test owns: nothing here waits for them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <list>
#include <thread>

#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;

std::atomic<Nanoseconds::rep> the_time;

Nanoseconds own_time() { return Nanoseconds(the_time.load()); }

class OwnedTime : public ::testing::Test {
 protected:
  OwnedTime() {
    the_time = Nanoseconds(1h).count();
    transport->attach(handler);
  }
  void pass(Nanoseconds time) {
    the_time += time.count();
    transport->poll(Carrier::in_passing);
  }
  // What the sockets bring takes real time.
  template <class Condition>
  bool poll_until(const Condition& condition) {
    for (int i = 0; i < 10'000 && !condition(); ++i) {
      transport->poll(Carrier::in_passing);
      std::this_thread::sleep_for(1ms);
    }
    return condition();
  }
  // The transport's link to a peer whose frames the test reads.
  RawPeer greeted_peer() {
    RawPeer peer = RawPeer::connect_to(job.port(0));
    std::thread greeting([&] {
      EXPECT_EQ(peer.greet(job.job_of(1), 0), handshake::Verdict::accepted);
      peer.write(frame_bytes(0, 0));
    });
    EXPECT_TRUE(poll_until([&] { return handler.frames == 1; }));
    greeting.join();
    return peer;
  }

  LocalJob job{2};
  Taker handler;
  std::unique_ptr<Transport> transport =
      make_tcp_transport(job.job_of(0), std::move(job.listeners[0]), TcpLimits{}, own_time);
};

TEST_F(OwnedTime, AStrangerIsDroppedAfterTwoSecondsInWhichItWasListenedTo) {
  Endpoints far = job.job_of(1);
  RawPeer first = RawPeer::connect_to(job.port(0));
  const handshake::Hello hello = handshake::make_hello(far, 0, handshake::fresh_nonce());
  first.write(hello);
  ASSERT_TRUE(poll_until([&] { return first.has_bytes(); }));
  RawPeer silent = RawPeer::connect_to(job.port(0));
  transport->poll(-1);
  pass(1h);  // stopped: that counts for a tenth of a second
  for (int i = 0; i < 18; ++i) pass(100ms);
  EXPECT_FALSE(silent.is_closed_within(0));
  pass(100ms);
  EXPECT_TRUE(silent.is_closed_within(1000));
}

TEST_F(OwnedTime, ARefusedDialIsGivenUpAfterTwoSeconds) {
  { const TcpListener gone = std::move(job.listeners[1]); }
  OutgoingFrame frame;
  EXPECT_FALSE(transport->send(1, frame));
  for (int i = 0; i < 19; ++i) pass(100ms);
  EXPECT_FALSE(handler.lost);
  for (int i = 0; i < 6; ++i) pass(100ms);
  EXPECT_TRUE(handler.lost);
}

TEST_F(OwnedTime, MessagesThatFollowCloselyAreHeldBackForFiftyMicroseconds) {
  RawPeer peer = greeted_peer();
  int begun = 0;
  transport->batching()->hold_back([&] { ++begun; });
  std::list<OutgoingFrame> frames;
  const auto send = [&] {
    OutgoingFrame& frame = frames.emplace_back();
    frame.header.kind = FrameKind::message;
    frame.header.tag = frames.size();
    EXPECT_TRUE(transport->send(1, frame));
  };
  send();
  send();
  EXPECT_EQ(begun, 0) << "the first after a poll leaves at once, and so does one that does not follow closely";
  EXPECT_EQ(peer.read_frames(2).size(), 2u);
  the_time += Nanoseconds(9us).count();
  send();
  send();
  EXPECT_EQ(begun, 1);
  pass(49us);
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(peer.has_bytes());
  pass(1us);
  EXPECT_EQ(peer.read_frames(2).size(), 2u);
}

// One that does not follow closely takes along what is held back. Frames without owners are asked about once only.
TEST_F(OwnedTime, AMessageThatComesLaterTakesAlongWhatIsHeldBack) {
  RawPeer peer = greeted_peer();
  transport->batching()->hold_back([] {});
  FrameHeader header{.kind = FrameKind::message};
  const auto send = [&] {
    ++header.tag;
    EXPECT_TRUE(transport->sends_at_once(1)->send_at_once(1, header, {}));
  };
  for (int i = 0; i < 3; ++i) send();
  EXPECT_EQ(peer.read_frames(2).size(), 2u);
  EXPECT_FALSE(peer.has_bytes());
  the_time += Nanoseconds(10us).count();
  send();
  EXPECT_EQ(peer.read_frames(2).size(), 2u);
}

}  // namespace
}  // namespace cohort
