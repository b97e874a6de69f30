// SPDX-License-Identifier: Apache-2.0
// A connection that is read again and again, because what it brings is awaited, leaves the set of sockets. Whatever
// happens next is noticed all the same: on it, or on another one.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/transport/tcp/socket_set.hpp"
#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

constexpr int messages_in_a_row = 200;
constexpr std::chrono::seconds patience{10};

// Where the others are, and what they say. One on another host that says as much is asked before it is read.
struct Case {
  const char* host;
  std::uint32_t bytes;
};

// The transport of pid 0, and sockets that are pids 1 and 2, of which 1 is the favourite.
class Favourite : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    for (const std::size_t pid : {1, 2}) job.job.processes[pid].host = GetParam().host;
    transport = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
    transport->attach(handler);
    for (const Pid pid : {1, 2}) {
      std::thread greeting([&] { peers.push_back(greeted(pid)); });
      const int before = handler.frames;
      poll_until([&] { return handler.frames > before; }, -1);
      greeting.join();
    }
    prefer(1);
  }
  RawPeer greeted(Pid pid) {
    RawPeer raw = RawPeer::connect_to(job.port(0));
    EXPECT_EQ(raw.greet(job.job_of(pid), 0), handshake::Verdict::accepted);
    raw.write(frame_bytes(0, 0));
    return raw;
  }
  RawPeer& peer(Pid pid) { return peers[static_cast<std::size_t>(pid) - 1]; }

  void prefer(Pid pid) {
    for (int i = 0; i < messages_in_a_row; ++i) expect_frame(pid, pid);
  }
  // Without a wait.
  void expect_frame(Pid from, Pid expected) {
    const int before = handler.frames;
    peer(from).write(frame_bytes(0, GetParam().bytes));
    poll_until([&] { return handler.frames > before; }, expected);
    EXPECT_EQ(handler.frames, before + 1);
  }
  void poll_until(const std::function<bool()>& done, Pid expected) {
    const auto end = transport->now() + patience;
    while (!done() && transport->now() < end) transport->poll(expected);
    EXPECT_TRUE(done());
  }
  // With waits of any length.
  void wait_until(const std::function<bool()>& done) {
    const auto start = transport->now();
    while (!done() && transport->now() - start < patience) {
      transport->wait(patience);
      transport->poll(-1);
    }
    EXPECT_LT(transport->now() - start, patience);
  }

  // Until pid 1's socket takes no more.
  void fill() {
    for (bool taken = true; taken;) {
      OutgoingFrame& frame = *frames.emplace_back(std::make_unique<OutgoingFrame>());
      frame.header.kind = FrameKind::message;
      frame.header.length = frame.header.payload = static_cast<std::uint32_t>(payload.size());
      frame.payload = {{payload.data(), payload.size()}};
      taken = transport->send(1, frame);
    }
  }
  void expect_all_to_leave() {
    std::size_t arrived = 0;
    std::thread reader([&] { arrived = peer(1).read_frames(frames.size()).size(); });
    wait_until([&] { return handler.sent_later > 0; });
    reader.join();
    EXPECT_EQ(arrived, frames.size());
  }

  LocalJob job{3};
  Taker handler;
  std::unique_ptr<Transport> transport;
  std::vector<RawPeer> peers;
  std::vector<std::unique_ptr<OutgoingFrame>> frames;
  const std::vector<std::byte> payload = std::vector<std::byte>(512);
};

TEST_P(Favourite, IsHeardWhileAnotherIsExpected) {
  expect_frame(1, 2);
  prefer(1);
  expect_frame(1, -1);
}

TEST_P(Favourite, DoesNotKeepOthersFromBeingHeard) {
  expect_frame(2, 1);
  expect_frame(2, -1);
  prefer(2);
  expect_frame(1, 2);
}

TEST_P(Favourite, EndsAWait) {
  const int before = handler.frames;
  peer(1).write(frame_bytes(0, 8));
  wait_until([&] { return handler.frames > before; });
}

TEST_P(Favourite, EndsAWaitByItsLoss) {
  peer(1).reset();
  wait_until([&] { return handler.lost; });
  prefer(2);
}

TEST_P(Favourite, IsLostWhileItIsExpected) {
  peer(1).reset();
  poll_until([&] { return handler.lost; }, 1);
  prefer(2);
}

TEST_P(Favourite, IsLostByItsEndWhileItIsExpected) {
  peers.clear();
  poll_until([&] { return handler.lost; }, 1);
}

TEST_P(Favourite, IsLostWhileAnotherIsExpected) {
  peer(1).reset();
  poll_until([&] { return handler.lost; }, 2);
}

TEST_P(Favourite, MayBeDisconnected) {
  transport->disconnect(1);
  prefer(2);
  EXPECT_FALSE(handler.lost);
}

// What its socket does not take leaves as soon as it does.
TEST_P(Favourite, MayReadSlowly) {
  fill();
  expect_all_to_leave();
}

TEST_P(Favourite, MayReadSlowlyBeforeItIsOne) {
  expect_frame(2, -1);
  fill();
  prefer(1);
  expect_all_to_leave();
}

INSTANTIATE_TEST_SUITE_P(WithinAHost, Favourite, ::testing::Values(Case{"localhost", 8}));
INSTANTIATE_TEST_SUITE_P(OnAnotherHost, Favourite, ::testing::Values(Case{"another", 2048}));

// It leaves the set when it has been read often enough, and no other one has.
TEST(SocketSet, DoesNotWatchItsFavouriteUnlessItIsTold) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  SocketSet set;
  const auto is_watched = [&] { return !set.wait(std::chrono::nanoseconds(0)).empty(); };
  set.add(ends[0], &ends[0], EPOLLIN);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(is_watched());
  for (int i = 0; i < messages_in_a_row; ++i) set.was_read(ends[0], &ends[0]);
  EXPECT_FALSE(is_watched());
  set.watch_all_but(&ends[0]);
  EXPECT_FALSE(is_watched());
  set.watch_all_but(nullptr);
  EXPECT_TRUE(is_watched());
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace cohort
