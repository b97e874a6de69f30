// SPDX-License-Identifier: Apache-2.0
// Limits do not judge a member by how slow this machine is, or its own (case 80).
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

// It looks ten times in 1.5 s, as on a crowded machine, where the dialer gets no more of the processors.
TEST(Greeting, Case80IsNotBrokenOffBecauseTheAcceptorIsStarved) {
  LocalJob job(2);
  Quiet handler;
  const std::unique_ptr<Transport> acceptor = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  acceptor->attach(handler);
  const auto look_now_and_then = [&](std::chrono::milliseconds time) {
    for (const auto end = acceptor->now() + time; acceptor->now() < end;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      for (int i = 0; i < 10; ++i) acceptor->poll(-1);
    }
  };
  const Job mine = job.job_of(1);
  const handshake::Hello hello = handshake::make_hello(mine, 0, handshake::fresh_nonce());
  RawPeer peer = RawPeer::connect_to(job.port(0));
  look_now_and_then(std::chrono::milliseconds(1200));
  peer.write(hello);
  look_now_and_then(std::chrono::milliseconds(1350));
  handshake::Challenge challenge;
  ASSERT_TRUE(peer.has_bytes() && peer.read_message(challenge)) << "it is dropped after 2 s in which nobody listened";
  peer.write(handshake::make_proof(mine, hello, challenge));
  look_now_and_then(std::chrono::milliseconds(150));
  handshake::Answer answer;
  ASSERT_TRUE(peer.has_bytes() && peer.read_message(answer));
  EXPECT_EQ(handshake::check_answer(mine, hello, challenge, answer), handshake::Verdict::accepted);
}

// Its machine is slow, the acceptor's is not: it is dropped, and called back, where it has all the time that it needs.
TEST(Greeting, Case80AMemberThatIsTooSlowIsCalledBackWithoutAWord) {
  LocalJob job(2);
  const RawListener own(10);
  job.job.processes[1].port = own.port;
  const Job mine = job.job_of(1);

  ::testing::internal::CaptureStderr();
  LiveTransport live(job, 0);
  RawPeer speechless = RawPeer::connect_to(job.port(0));
  RawPeer slow = RawPeer::connect_to(job.port(0));
  slow.write(handshake::make_hello(mine, 0, handshake::fresh_nonce()));
  handshake::Challenge unanswered;
  ASSERT_TRUE(slow.read_message(unanswered));
  EXPECT_TRUE(slow.is_closed_within(5000));
  EXPECT_TRUE(speechless.is_closed_within(1000));

  RawPeer back = own.accept();
  handshake::Hello hello;
  ASSERT_TRUE(back.read_message(hello));
  EXPECT_FALSE(back.is_closed_within(2500));
  const handshake::Challenge challenge = handshake::make_challenge(mine, handshake::fresh_nonce());
  back.write(challenge);
  handshake::Proof proof;
  ASSERT_TRUE(back.read_message(proof));
  EXPECT_TRUE(handshake::check_proof(mine, hello, challenge, proof));
  back.write(handshake::make_answer(mine, hello, challenge, handshake::Verdict::accepted));
  back.write(back.next_frame(1, 10));
  EXPECT_TRUE(live.await_frames(1));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// While the dialer does not run, the other system's silence does not count. A full queue lets nobody connect.
TEST(Dialing, Case80NobodyIsGivenUpByADialerThatIsStarved) {
  LocalJob job(2);
  const TcpLimits limits{.silence = std::chrono::milliseconds(1600)};
  const RawListener full(0);
  job.job.processes[1].port = full.port;
  RawPeer first = RawPeer::connect_to(job.port(1));

  Taker handler;
  const std::unique_ptr<Transport> dialer = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]), limits);
  dialer->attach(handler);
  OutgoingFrame frame;
  EXPECT_FALSE(dialer->send(1, frame));
  const auto starved_for = [&](std::chrono::milliseconds time) {
    for (const auto end = dialer->now() + time; dialer->now() < end;) {
      for (int i = 0; i < 10; ++i) dialer->poll(-1);
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  };
  starved_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(handler.lost);
  { const RawPeer taken = full.accept(); }
  starved_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(handler.lost);
  RawPeer greeted = full.accept();
  handshake::Hello hello;
  EXPECT_TRUE(greeted.read_message(hello));
  dialer->disconnect(1);
}

}  // namespace
}  // namespace cohort
