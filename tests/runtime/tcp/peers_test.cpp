// SPDX-License-Identifier: Apache-2.0
// What goes wrong with processes of the job, and with who answers where one should be.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "cohort/error.hpp"
#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Pid 0 is real, pid 1 is driven by the test.
class Peers : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(peer.greet(job.job_of(1), 0), handshake::Verdict::accepted); }

  LocalJob job{2};
  LiveTransport live{job, 0};
  RawPeer peer = RawPeer::connect_to(job.port(0));
};

TEST_F(Peers, Case23BytesThatComeOneByOneMakeTheSameFrames) {
  for (std::size_t i = 0; i < 20; ++i) {
    const std::vector<std::byte> bytes = peer.next_frame(i, i * 3);
    ASSERT_TRUE(peer.write_each_byte_alone(bytes));
    ASSERT_TRUE(live.await_frames(i + 1));
    EXPECT_TRUE(std::ranges::equal(live.last_payload(), ConstBytes(bytes).subspan(travelling_size(bytes[0]))));
  }
}

TEST_F(Peers, ManyFramesInOneWriteAllArrive) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::vector<std::byte> frame = peer.next_frame(i, i % 100);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  ASSERT_TRUE(peer.write(bytes));
  EXPECT_TRUE(live.await_frames(5000));
}

TEST_F(Peers, Case25ADamagedHeaderFailsTheLinkAfterTheFramesBeforeIt) {
  std::vector<std::byte> bytes = peer.next_frame(1, 100);
  std::vector<std::byte> damaged = peer.next_frame(2, 100);
  damaged[3] ^= std::byte{4};
  bytes.insert(bytes.end(), damaged.begin(), damaged.end());
  ASSERT_TRUE(peer.write(bytes));
  EXPECT_TRUE(contains(live.await_loss(1), "damaged frame header"));
  EXPECT_EQ(live.frames(), 1u);
  EXPECT_TRUE(peer.is_closed_within(1000));
}

TEST_F(Peers, AFrameThatTheHandlerRefusesFailsTheLink) {
  FrameHeader header;
  header.kind = FrameKind::data;
  header.offset = 1;
  ASSERT_TRUE(peer.write(whole_header(header)));
  EXPECT_TRUE(contains(live.await_loss(1), "makes no sense"));
}

TEST_F(Peers, AnEndInTheMiddleOfAFrameIsToldFromAnOrderlyOne) {
  const std::vector<std::byte> bytes = frame_bytes(1, 100'000);
  ASSERT_TRUE(peer.write(ConstBytes(bytes).first(70'000)));
  { const RawPeer closed = std::move(peer); }
  EXPECT_EQ(live.await_loss(1), "connection closed in the middle of a frame");
}

TEST_F(Peers, Case20AResetInTheMiddleOfAMessageNamesThePeerAndSaysSo) {
  const std::vector<std::byte> bytes = frame_bytes(1, 100'000);
  ASSERT_TRUE(peer.write(ConstBytes(bytes).first(70'000)));
  peer.reset();
  EXPECT_TRUE(contains(live.await_loss(1), "connection reset"));
  EXPECT_EQ(live.frames(), 0u);
}

TEST_F(Peers, Case24ASecondConnectionOfTheSameProcessIsADuplicate) {
  RawPeer second = RawPeer::connect_to(job.port(0));
  EXPECT_EQ(second.greet(job.job_of(1), 0), handshake::Verdict::duplicate);
  EXPECT_TRUE(second.is_closed_within(1000));
  ASSERT_TRUE(peer.write(frame_bytes(1, 10)));
  EXPECT_TRUE(live.await_frames(1));
}

TEST_F(Peers, ALostProcessDoesNotComeBack) {
  { const RawPeer closed = std::move(peer); }
  EXPECT_EQ(live.await_loss(1), "connection closed");
  RawPeer again = RawPeer::connect_to(job.port(0));
  EXPECT_NE(again.greet(job.job_of(1), 0), handshake::Verdict::accepted);
}

TEST(Greeting, MayComeByteByByte) {
  LocalJob job(2);
  LiveTransport live(job, 0);
  RawPeer peer = RawPeer::connect_to(job.port(0));
  EXPECT_EQ(peer.greet(job.job_of(1), 0, /*bytewise=*/true), handshake::Verdict::accepted);
}

// Its own 2 s pass unnoticed, but the words of the other side are there.
TEST(Greeting, IsNotBrokenOffBecauseTheAcceptorComputes) {
  LocalJob job(2);
  Quiet handler;
  const std::unique_ptr<Transport> acceptor = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  acceptor->attach(handler);
  const auto poll_until = [&](const std::function<bool()>& condition) {
    for (const auto end = acceptor->now() + std::chrono::seconds(10); !condition() && acceptor->now() < end;) {
      acceptor->poll(-1);
    }
  };
  const Job mine = job.job_of(1);
  const handshake::Hello hello = handshake::make_hello(mine, 0, handshake::fresh_nonce());
  RawPeer peer = RawPeer::connect_to(job.port(0));
  for (int i = 0; i < 10; ++i) acceptor->poll(-1);  // accepts
  peer.write(hello);
  EXPECT_FALSE(peer.is_closed_within(2500));  // the acceptor computes
  poll_until([&] { return peer.has_bytes(); });
  handshake::Challenge challenge;
  ASSERT_TRUE(peer.read_message(challenge));
  peer.write(handshake::make_proof(mine, hello, challenge));
  EXPECT_FALSE(peer.is_closed_within(2500));
  poll_until([&] { return peer.has_bytes(); });
  handshake::Answer answer;
  ASSERT_TRUE(peer.read_message(answer));
  EXPECT_EQ(handshake::check_answer(mine, hello, challenge, answer), handshake::Verdict::accepted);
  for (int i = 0; i < 100; ++i) acceptor->poll(-1);
  EXPECT_FALSE(peer.is_closed_within(0));
}

// Nobody polls. Its frames wait.
TEST(Greeting, IsAnsweredForAProcessThatComputes) {
  LocalJob job(2);
  Taker handler;
  const std::unique_ptr<Transport> acceptor = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  acceptor->attach(handler);
  const auto end = acceptor->now() + std::chrono::seconds(10);
  std::atomic<bool> greeted = false;
  RawPeer peer = RawPeer::connect_to(job.port(0));
  std::thread dialer([&] {
    EXPECT_EQ(peer.greet(job.job_of(1), 0), handshake::Verdict::accepted);
    peer.write(frame_bytes(0, 8));
    greeted = true;
  });
  while (!greeted && acceptor->now() < end) acceptor->liveness()->greet();
  dialer.join();
  while (acceptor->liveness()->greet() && acceptor->now() < end) {
  }
  EXPECT_EQ(handler.frames, 0);
  while (handler.frames == 0 && acceptor->now() < end) acceptor->poll(-1);
  EXPECT_EQ(handler.frames, 1);
}

// However many come at once, and though they fill all the places: each time all get one, and who speaks keeps it.
TEST(Greeting, Case31OfAProcessThatComputesIsNotHeldUpByACrowd) {
  LocalJob job(2);
  Taker handler;
  const std::unique_ptr<Transport> acceptor = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  acceptor->attach(handler);
  std::vector<RawPeer> silent;
  const auto crowd = [&] {
    for (int i = 0; i < 65; ++i) silent.push_back(RawPeer::connect_to(job.port(0)));
  };
  const Job mine = job.job_of(1);
  const handshake::Hello hello = handshake::make_hello(mine, 0, handshake::fresh_nonce());
  crowd();
  RawPeer peer = RawPeer::connect_to(job.port(0));
  peer.write(hello);
  for (const auto end = acceptor->now() + std::chrono::seconds(10); !peer.has_bytes() && acceptor->now() < end;)
    acceptor->liveness()->greet();
  handshake::Challenge challenge;
  ASSERT_TRUE(peer.read_message(challenge));
  peer.write(handshake::make_proof(mine, hello, challenge));
  crowd();
  crowd();
  acceptor->liveness()->greet();
  ASSERT_TRUE(peer.has_bytes());
  handshake::Answer answer;
  ASSERT_TRUE(peer.read_message(answer));
  EXPECT_EQ(handshake::check_answer(mine, hello, challenge, answer), handshake::Verdict::accepted);
}

TEST(Dialing, ARefusedConnectionIsALossThatNamesTheAddress) {
  LocalJob job(2);
  const RawListener gone(std::nullopt);
  job.job.processes[1].port = gone.port;
  LiveTransport live(job, 0);
  live.send(1);
  const std::string cause = live.await_loss(1);
  EXPECT_TRUE(contains(cause, "cannot connect to 127.0.0.1 port " + std::to_string(job.port(1)))) << cause;
  EXPECT_TRUE(contains(cause, "refused")) << cause;
}

// Each try fails at once, and another one is made, for as long as an end of a link may be silent.
TEST(Dialing, Case45AnAddressToWhichThereIsNoWayIsGivenUpAtTheLimit) {
  LocalJob job(2);
  job.limits.silence = std::chrono::milliseconds(1600);
  job.job.processes[1].ip = "127.255.255.255";  // a broadcast address
  LiveTransport live(job, 0);
  const auto start = std::chrono::steady_clock::now();
  live.send(1);
  const std::string cause = live.await_loss(1);
  const auto lasted = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(contains(cause, "cannot connect to 127.255.255.255 port ")) << cause;
  EXPECT_TRUE(contains(cause, "Network is unreachable")) << cause;
  EXPECT_GE(lasted, job.limits.silence);
  EXPECT_LT(lasted, std::chrono::seconds(4));
}

// A socket at the place of pid 1.
class Impostor : public ::testing::Test {
 protected:
  Impostor() { job.job.processes[1].port = place.port; }

  LocalJob job{2};
  const RawListener place{10};
};

TEST_F(Impostor, GetsNoProofFromAnotherIncarnation) {
  LiveTransport live(job, 0);
  live.send(1);
  RawPeer impostor = place.accept();
  handshake::Hello hello;
  ASSERT_TRUE(impostor.read_message(hello));
  Job other = job.job_of(1);
  other.processes[1].incarnation = 4;
  impostor.write(handshake::make_challenge(other, handshake::fresh_nonce()));
  EXPECT_EQ(impostor.read(1), "");
}

TEST_F(Impostor, GetsNoFrameWithoutTheSecret) {
  LiveTransport live(job, 0);
  live.send(1);
  RawPeer impostor = place.accept();
  handshake::Hello hello;
  ASSERT_TRUE(impostor.read_message(hello));
  Job guess = job.job_of(1);
  guess.secret[5] ^= 8;
  const handshake::Challenge challenge = handshake::make_challenge(guess, handshake::fresh_nonce());
  impostor.write(challenge);
  handshake::Proof proof;
  ASSERT_TRUE(impostor.read_message(proof));
  impostor.write(handshake::make_answer(guess, hello, challenge, handshake::Verdict::accepted));
  EXPECT_EQ(impostor.read(1), "");
}

// A process that computes, or is stopped, is not lost: its system accepts, and it answers later.
TEST_F(Impostor, WhoAnswersLateIsNotLost) {
  LiveTransport live(job, 0);
  live.send(1);
  RawPeer late = place.accept();
  handshake::Hello hello;
  ASSERT_TRUE(late.read_message(hello));
  EXPECT_FALSE(late.is_closed_within(3000));
  const Job mine = job.job_of(1);
  const handshake::Challenge challenge = handshake::make_challenge(mine, handshake::fresh_nonce());
  late.write(challenge);
  handshake::Proof proof;
  ASSERT_TRUE(late.read_message(proof));
  late.write(handshake::make_answer(mine, hello, challenge, handshake::Verdict::accepted));
  EXPECT_EQ(late.read_frames(1).size(), 1u);
}

// Nobody is left there to take what is queued. A refusal is otherwise believed after 2 s.
TEST(Closing, DoesNotWaitForAPeerThatHasGone) {
  LocalJob job(2);
  const RawListener gone(std::nullopt);
  job.job.processes[1].port = gone.port;
  Taker handler;
  const std::unique_ptr<Transport> leaver = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  leaver->attach(handler);
  OutgoingFrame frame;
  EXPECT_FALSE(leaver->send(1, frame));
  const Nanoseconds begun = leaver->now();
  while (leaver->now() - begun < std::chrono::milliseconds(200)) {
    leaver->wait(std::chrono::milliseconds(20));
    leaver->poll(-1);
  }
  EXPECT_FALSE(handler.lost);
  leaver->close();
  EXPECT_LT(leaver->now() - begun, std::chrono::seconds(1));
}

TEST(Listener, Case40NamesTheAddressItCannotListenOn) {
  try {
    const TcpListener refused(ListenAt{"192.0.2.1"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::job);
    EXPECT_TRUE(contains(error.what(), "192.0.2.1"));
  }
  EXPECT_THROW(TcpListener(ListenAt{"localhost"}), Error);
}

TEST(Listener, Case40TakesTheNextPortOfItsRangeOrNamesIt) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int first = TcpListener(ListenAt{"127.0.0.1"}).port();
    if (first == 65535) continue;
    const ListenAt at{"127.0.0.1", {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(first + 1)}};
    std::vector<TcpListener> taken;
    try {
      for (int i = 0; i < 2; ++i) taken.emplace_back(at);
    } catch (const Error&) {
      continue;  // somebody else has one of them
    }
    EXPECT_EQ(taken[0].port(), first);
    EXPECT_EQ(taken[1].port(), first + 1);
    try {
      const TcpListener refused(at);
      FAIL();
    } catch (const Error& error) {
      const std::string ports = "127.0.0.1 ports " + std::to_string(first) + " to " + std::to_string(first + 1);
      EXPECT_TRUE(contains(error.what(), ports + ": Address already in use")) << error.what();
    }
    return;
  }
  FAIL() << "no two ports in a row were free";
}

}  // namespace
}  // namespace cohort
