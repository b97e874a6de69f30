// SPDX-License-Identifier: Apache-2.0
// The handshake's two sides as machines: bytes that are split anywhere, changed, or of another, by seeds.
#include "runtime/transport/tcp/greeting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/runtime/tcp/handshake_endpoints.hpp"

namespace cohort::handshake {
namespace {

using namespace std::chrono_literals;

constexpr unsigned seeds = 2000;
constexpr Pid dialer_pid = 3, acceptor_pid = 1;

Nonce nonce_of(std::mt19937& random) {
  Nonce nonce;
  for (std::byte& byte : nonce) byte = static_cast<std::byte>(random());
  return nonce;
}

// What one side has sent and the other has not heard yet.
class Wire {
 public:
  void add(ConstBytes bytes) {
    for (std::byte byte : bytes) {
      if (total_++ == damaged) byte ^= std::byte{1} << bit;
      bytes_.push_back(byte);
    }
  }
  // Hands a piece of any size to a side, as long as it wants something.
  template <class Side, class Reply>
  bool deliver(Side& side, std::mt19937& random, const Reply& reply) {
    const std::size_t most = std::min(bytes_.size(), side.wanted());
    if (most == 0) return false;
    const std::size_t size = 1 + random() % most;
    const std::vector<std::byte> piece(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
    reply(side.take(piece));
    return true;
  }
  std::size_t waiting() const { return bytes_.size(); }

  std::size_t damaged = ~std::size_t{0};  // the byte of all that travel of which this bit is changed
  unsigned bit = 0;

 private:
  std::vector<std::byte> bytes_;
  std::size_t total_ = 0;
};

// One greeting between the two, in an order that the seed decides.
struct Meeting {
  explicit Meeting(unsigned seed, bool damages = false) : random(seed) {
    if (damages) {
      to_acceptor.damaged = random() % (sizeof(Hello) + sizeof(Proof));
      to_acceptor.bit = random() % 8;
    }
    to_acceptor.add(dialer.hello());
  }

  void play(Verdict verdict) {
    while (step(verdict)) {
    }
  }
  bool step(Verdict verdict) {
    if (acceptor.state() == AcceptorSide::State::awaits_verdict) {
      to_dialer.add(acceptor.answer(verdict));
      to_dialer.add(frames);
      return true;
    }
    const auto to_the_dialer = [&](ConstBytes bytes) { to_dialer.add(bytes); };
    const auto to_the_acceptor = [&](ConstBytes bytes) { to_acceptor.add(bytes); };
    if (random() % 2 == 0) {
      return to_acceptor.deliver(acceptor, random, to_the_dialer) || to_dialer.deliver(dialer, random, to_the_acceptor);
    }
    return to_dialer.deliver(dialer, random, to_the_acceptor) || to_acceptor.deliver(acceptor, random, to_the_dialer);
  }

  std::mt19937 random;
  Endpoints at_dialer = testing::handshake_endpoints(dialer_pid),
            at_acceptor = testing::handshake_endpoints(acceptor_pid);
  DialerSide dialer{at_dialer, acceptor_pid, nonce_of(random)};
  AcceptorSide acceptor{at_acceptor, nonce_of(random), 0ns};
  Wire to_acceptor, to_dialer;
  const std::vector<std::byte> frames = std::vector<std::byte>(100, std::byte{0xf0});  // behind the answer
};

TEST(Greeting, EndsWithTheVerdictHoweverItsBytesAreSplit) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Meeting meeting(seed);
    const bool accepts = seed % 3 != 0;
    meeting.play(accepts ? Verdict::accepted : Verdict::duplicate);
    EXPECT_EQ(meeting.acceptor.state(), AcceptorSide::State::answered);
    EXPECT_EQ(meeting.acceptor.caller(), dialer_pid);
    ASSERT_EQ(meeting.dialer.state(), accepts ? DialerSide::State::accepted : DialerSide::State::duplicate);
    EXPECT_EQ(meeting.dialer.cause().empty(), accepts);
    EXPECT_EQ(meeting.to_dialer.waiting(), meeting.frames.size()) << "what follows the answer is the connection's";
  }
}

TEST(Greeting, NoBitThatIsChangedOnTheWayLetsADialerIn) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Meeting meeting(seed, /*damages=*/true);
    meeting.play(Verdict::accepted);
    EXPECT_EQ(meeting.acceptor.state(), AcceptorSide::State::refused);
    EXPECT_FALSE(meeting.acceptor.complaint().empty());
    EXPECT_EQ(meeting.acceptor.wanted(), 0u);
    EXPECT_FALSE(meeting.dialer.over());
  }
}

TEST(Greeting, NoiseGetsNoAnswerAndNoProof) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Endpoints endpoints = testing::handshake_endpoints(acceptor_pid);
    AcceptorSide acceptor(endpoints, nonce_of(random), 0ns);
    DialerSide dialer(endpoints, dialer_pid, nonce_of(random));
    Wire noise, more_noise;
    for (Wire* wire : {&noise, &more_noise}) {
      std::vector<std::byte> bytes(300);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      wire->add(bytes);
    }
    std::size_t sent = 0;
    const auto count = [&](ConstBytes bytes) { sent += bytes.size(); };
    while (noise.deliver(acceptor, random, count) || more_noise.deliver(dialer, random, count)) {
    }
    EXPECT_EQ(acceptor.state(), AcceptorSide::State::refused);
    EXPECT_EQ(dialer.state(), DialerSide::State::refused);
    EXPECT_EQ(sent, 0u);
    EXPECT_EQ(acceptor.caller(), -1);
  }
}

TEST(Greeting, WhoDoesNotHaveTheSecretIsRefusedByBothSides) {
  std::mt19937 random(1);
  Endpoints guess = testing::handshake_endpoints(dialer_pid);
  guess.secret[4] ^= 1;
  const Endpoints endpoints = testing::handshake_endpoints(acceptor_pid);
  AcceptorSide acceptor(endpoints, nonce_of(random), 0ns);
  DialerSide liar(guess, acceptor_pid, nonce_of(random));
  acceptor.take(liar.take(acceptor.take(liar.hello())));
  EXPECT_EQ(acceptor.state(), AcceptorSide::State::refused);
  EXPECT_EQ(acceptor.complaint(), "it says that it is pid 3 and does not have the job's secret");

  Endpoints impostor = testing::handshake_endpoints(acceptor_pid);
  impostor.secret[4] ^= 1;
  const Endpoints honest = testing::handshake_endpoints(dialer_pid);
  DialerSide dialer(honest, acceptor_pid, nonce_of(random));
  const Challenge challenge = make_challenge(impostor, nonce_of(random));
  dialer.take(challenge);
  dialer.take(make_answer(impostor, make_hello(honest, acceptor_pid, {}), challenge, Verdict::accepted));
  EXPECT_EQ(dialer.state(), DialerSide::State::refused);
  EXPECT_EQ(dialer.cause(), "what answers does not have the job's secret");
}

// Whoever has shown who it is keeps its place for as long as its answer takes.
TEST(Greeting, IsLateAfterTwoSecondsUnlessTheCallerHasShownWhoItIs) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Meeting meeting(seed);
    while (!meeting.acceptor.proven()) {
      EXPECT_FALSE(meeting.acceptor.late(1999ms));
      EXPECT_TRUE(meeting.acceptor.late(2s));
      ASSERT_TRUE(meeting.step(Verdict::accepted));
    }
    EXPECT_FALSE(meeting.acceptor.late(1h));
  }
}

}  // namespace
}  // namespace cohort::handshake
