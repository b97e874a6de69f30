// SPDX-License-Identifier: Apache-2.0
// Who is not of the job can't stall, crash or read it.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <random>

#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

ConstBytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// Two processes that answer each other's frames without end, and a job for strangers to attack.
class Strangers : public ::testing::Test {
 protected:
  void SetUp() override {
    first.echo();
    second.echo();
    second.send(0);
    ASSERT_TRUE(first.await_frames(10));
  }
  void expect_frames_to_flow() { EXPECT_TRUE(first.await_frames(first.frames() + 100)); }

  LocalJob job{3};
  LiveTransport first{job, 0};
  LiveTransport second{job, 1};
};

TEST_F(Strangers, Case31SilentOnesAreDroppedAfterTwoSeconds) {
  const auto start = steady_clock::now();
  RawPeer silent = RawPeer::connect_to(job.port(0));
  const std::size_t before = first.frames();
  EXPECT_TRUE(silent.is_closed_within(10'000));
  EXPECT_GT(steady_clock::now() - start, milliseconds(1500));
  EXPECT_LT(steady_clock::now() - start, seconds(3));
  EXPECT_GT(first.frames(), before + 1000);
}

TEST_F(Strangers, Case33SlowOnesAreDroppedAfterTwoSecondsInAll) {
  const handshake::Hello hello = handshake::make_hello(job.job_of(2), 0, handshake::fresh_nonce());
  const auto start = steady_clock::now();
  RawPeer slow = RawPeer::connect_to(job.port(0));
  for (std::size_t i = 0; !slow.is_closed_within(100); ++i) {
    ASSERT_LT(i, hello.size() - 1);
    slow.write(ConstBytes(hello).subspan(i, 1));
  }
  EXPECT_LT(steady_clock::now() - start, seconds(3));
  expect_frames_to_flow();
}

TEST_F(Strangers, Case32OtherProtocolsAreRefusedWithoutAWord) {
  for (const std::string& greeting :
       {std::string("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n"),
        std::string("\x16\x03\x01") + std::string(300, '\x01'), std::string(64, '\0'), std::string(5000, '\xff')}) {
    RawPeer stranger = RawPeer::connect_to(job.port(0));
    stranger.write(bytes_of(greeting));
    EXPECT_EQ(stranger.read(1), "");
    EXPECT_TRUE(stranger.is_closed_within(1000));
  }
  expect_frames_to_flow();
}

TEST_F(Strangers, Case32RandomBytesAreRefusedWithoutAWord) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string noise(64 + random() % 200, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    RawPeer stranger = RawPeer::connect_to(job.port(0));
    stranger.write(bytes_of(noise));
    EXPECT_EQ(stranger.read(1), "");
  }
  expect_frames_to_flow();
}

TEST_F(Strangers, Case31TwoHundredSilentOnesDoNotKeepAProcessOut) {
  std::vector<RawPeer> silent;
  for (int i = 0; i < 200; ++i) silent.push_back(RawPeer::connect_to(job.port(0)));
  RawPeer process = RawPeer::connect_to(job.port(0));
  EXPECT_EQ(process.greet(job.job_of(2), 0), handshake::Verdict::accepted);
  EXPECT_TRUE(silent.front().is_closed_within(10'000));
  expect_frames_to_flow();
}

TEST_F(Strangers, Case34WhoDoesNotHaveTheSecretIsRefusedAfterItsProof) {
  Job guess = job.job_of(2);
  guess.secret[0] ^= 1;
  RawPeer stranger = RawPeer::connect_to(job.port(0));
  EXPECT_FALSE(stranger.greet(guess, 0));
  EXPECT_TRUE(stranger.is_closed_within(1000));
  RawPeer process = RawPeer::connect_to(job.port(0));
  EXPECT_EQ(process.greet(job.job_of(2), 0), handshake::Verdict::accepted);
}

TEST_F(Strangers, Case34ARecordedGreetingIsRefused) {
  const Job mine = job.job_of(2);
  const handshake::Hello hello = handshake::make_hello(mine, 0, handshake::fresh_nonce());
  handshake::Challenge challenge;
  RawPeer process = RawPeer::connect_to(job.port(0));
  ASSERT_TRUE(process.write(hello) && process.read_message(challenge));
  const handshake::Proof proof = handshake::make_proof(mine, hello, challenge);

  RawPeer replay = RawPeer::connect_to(job.port(0));
  ASSERT_TRUE(replay.write(hello) && replay.read_message(challenge));
  replay.write(proof);
  EXPECT_EQ(replay.read(1), "");

  handshake::Answer answer;
  EXPECT_TRUE(process.write(proof) && process.read_message(answer)) << "the real one is not disturbed";
}

// What it hears is sent back to where it came from: the acceptor's own challenge is no proof.
TEST_F(Strangers, Case34OurOwnChallengeReflectedIsRefused) {
  RawPeer mirror = RawPeer::connect_to(job.port(0));
  handshake::Challenge challenge;
  ASSERT_TRUE(mirror.write(handshake::make_hello(job.job_of(2), 0, handshake::fresh_nonce())) &&
              mirror.read_message(challenge));
  mirror.write(ConstBytes(challenge).first(32));
  EXPECT_EQ(mirror.read(1), "");
  RawPeer echo = RawPeer::connect_to(job.port(0));
  echo.write(handshake::make_hello(job.job_of(0), 0, handshake::fresh_nonce()));
  EXPECT_EQ(echo.read(1), "") << "our own hello";
  expect_frames_to_flow();
}

TEST_F(Strangers, Case35AnotherJobsProcessIsRefusedAndBothIdsAreInTheLog) {
  ::testing::internal::CaptureStderr();
  Job other = job.job_of(2);
  other.id = 4711;
  other.secret.fill(9);
  RawPeer lost = RawPeer::connect_to(job.port(0));
  EXPECT_FALSE(lost.greet(other, 0));
  EXPECT_TRUE(lost.is_closed_within(1000));
  expect_frames_to_flow();
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("wrong job id (ours 99, theirs 4711)"), std::string::npos);
}

TEST_F(Strangers, Case41OutOfDescriptorsTheyWaitAndNothingSpins) {
  LocalJob quiet_job(2);
  LiveTransport quiet(quiet_job, 0);
  RawPeer process = RawPeer::connect_to(quiet_job.port(0));
  ASSERT_EQ(process.greet(quiet_job.job_of(1), 0), handshake::Verdict::accepted);
  std::vector<int> hoard;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  rlimit low = limit;
  low.rlim_cur = 256;
  ::setrlimit(RLIMIT_NOFILE, &low);
  const int last = ::dup(0);
  while (true) {
    const int descriptor = ::dup(0);
    if (descriptor < 0) break;
    hoard.push_back(descriptor);
  }
  ::close(last);  // for this side of the connection
  RawPeer stranger = RawPeer::connect_to(quiet_job.port(0));
  const double before = quiet.processor_seconds();
  EXPECT_FALSE(stranger.is_closed_within(500));
  EXPECT_LT(quiet.processor_seconds() - before, 0.1);
  for (const int descriptor : hoard) ::close(descriptor);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  stranger.write(bytes_of(std::string(64, '\0')));
  EXPECT_TRUE(stranger.is_closed_within(1500)) << "accepted and refused once there are descriptors again";
}

}  // namespace
}  // namespace cohort
