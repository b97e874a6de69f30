// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/handshake.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/tcp/handshake_endpoints.hpp"

namespace cohort::handshake {
namespace {

// A whole handshake between pid 3, the dialer, and pid 1.
struct Session {
  Endpoints dialer = testing::handshake_endpoints(3);
  Endpoints acceptor = testing::handshake_endpoints(1);
  Hello hello = make_hello(dialer, 1, fresh_nonce());
  Challenge challenge = make_challenge(acceptor, fresh_nonce());
  Proof proof = make_proof(dialer, hello, challenge);
  Answer answer = make_answer(acceptor, hello, challenge, Verdict::accepted);

  // Whether both sides would go on to the end.
  bool accepted(const Hello& heard, const Challenge& challenged, const Proof& proved) const {
    return check_hello(acceptor, heard).pid == 3 && check_challenge(dialer, 1, challenged).empty() &&
           check_proof(acceptor, heard, challenge, proved);
  }
};

template <class Message, class Function>
void with_every_flipped_bit(const Message& message, const Function& function) {
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    Message flipped = message;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    SCOPED_TRACE("bit " + std::to_string(bit));
    function(flipped);
  }
}

TEST(Handshake, HonestSidesAgree) {
  const Session session;
  EXPECT_EQ(check_hello(session.acceptor, session.hello).pid, 3);
  EXPECT_EQ(check_hello(session.acceptor, session.hello).complaint, "");
  EXPECT_TRUE(session.accepted(session.hello, session.challenge, session.proof));
  EXPECT_EQ(check_answer(session.dialer, session.hello, session.challenge, session.answer), Verdict::accepted);
  const Answer duplicate = make_answer(session.acceptor, session.hello, session.challenge, Verdict::duplicate);
  EXPECT_EQ(check_answer(session.dialer, session.hello, session.challenge, duplicate), Verdict::duplicate);
}

TEST(Handshake, NoBitOfTheHelloCanBeChanged) {
  const Session session;
  with_every_flipped_bit(session.hello, [&](const Hello& flipped) {
    EXPECT_FALSE(session.accepted(flipped, session.challenge, session.proof));
  });
}

// Whoever changes the challenge on its way gets a proof for the changed one.
TEST(Handshake, NoBitOfTheChallengeCanBeChanged) {
  const Session session;
  with_every_flipped_bit(session.challenge, [&](const Challenge& flipped) {
    const Proof proof = make_proof(session.dialer, session.hello, flipped);
    EXPECT_FALSE(session.accepted(session.hello, flipped, proof));
    EXPECT_FALSE(check_answer(session.dialer, session.hello, flipped, session.answer));
  });
}

TEST(Handshake, NoBitOfTheProofsCanBeChanged) {
  const Session session;
  with_every_flipped_bit(session.proof, [&](const Proof& flipped) {
    EXPECT_FALSE(session.accepted(session.hello, session.challenge, flipped));
  });
  with_every_flipped_bit(session.answer, [&](const Answer& flipped) {
    EXPECT_FALSE(check_answer(session.dialer, session.hello, session.challenge, flipped));
  });
}

TEST(Handshake, AVerdictThatDoesNotExistIsRefusedEvenIfAuthentic) {
  const Session session;
  const Answer answer = make_answer(session.acceptor, session.hello, session.challenge, static_cast<Verdict>(3));
  EXPECT_FALSE(check_answer(session.dialer, session.hello, session.challenge, answer));
}

TEST(Handshake, Case34ARecordedDialerDoesNotPassANewChallenge) {
  const Session session;
  const Challenge next = make_challenge(session.acceptor, fresh_nonce());
  EXPECT_FALSE(check_proof(session.acceptor, session.hello, next, session.proof));
}

TEST(Handshake, Case34ARecordedAcceptorDoesNotPassANewHello) {
  const Session session;
  const Hello next = make_hello(session.dialer, 1, fresh_nonce());
  EXPECT_FALSE(check_answer(session.dialer, next, session.challenge, session.answer));
}

TEST(Handshake, Case34NothingCanBeSentBackToWhereItCameFrom) {
  const Session session;
  EXPECT_LT(check_hello(session.dialer, session.hello).pid, 0) << "our own hello";
  Answer reflected{};  // the dialer's own proof as the acceptor's
  const auto accepted = static_cast<std::uint64_t>(Verdict::accepted);
  std::memcpy(reflected.data(), &accepted, sizeof accepted);
  std::memcpy(reflected.data() + 8, session.proof.data(), session.proof.size());
  EXPECT_FALSE(check_answer(session.dialer, session.hello, session.challenge, reflected));
  Proof own{};  // the acceptor's own proof as the dialer's
  std::memcpy(own.data(), session.answer.data() + 8, own.size());
  EXPECT_FALSE(check_proof(session.acceptor, session.hello, session.challenge, own));
  const Challenge own_challenge = make_challenge(session.dialer, fresh_nonce());
  EXPECT_NE(check_challenge(session.dialer, 1, own_challenge), "") << "our own challenge";
}

TEST(Handshake, Case34AnotherSecretProvesNothing) {
  Session session;
  session.dialer.secret[31] ^= 1;
  EXPECT_FALSE(check_proof(session.acceptor, session.hello, session.challenge,
                           make_proof(session.dialer, session.hello, session.challenge)));
  EXPECT_FALSE(check_answer(session.dialer, session.hello, session.challenge, session.answer));
}

TEST(Handshake, TheComplaintSaysWhatIsWrong) {
  const Endpoints acceptor = testing::handshake_endpoints(1);
  const auto complaint = [&](const Endpoints& dialer, Pid to) {
    const Caller caller = check_hello(acceptor, make_hello(dialer, to, fresh_nonce()));
    EXPECT_LT(caller.pid, 0);
    return caller.complaint;
  };
  Endpoints other_job = testing::handshake_endpoints(3);
  other_job.id = 7;
  EXPECT_EQ(complaint(other_job, 1), "wrong job id (ours 1234605616436508552, theirs 7)");
  EXPECT_EQ(complaint(testing::handshake_endpoints(3), 2), "it looks for pid 2, we are 1");
  EXPECT_EQ(complaint(testing::handshake_endpoints(1), 1), "it says that it is pid 1 of 5");
  Endpoints reborn = testing::handshake_endpoints(3);
  reborn.processes[3].incarnation = 1;
  EXPECT_EQ(complaint(reborn, 1), "it is not the pid 3 of this job (wrong incarnation)");

  Hello hello = make_hello(testing::handshake_endpoints(3), 1, fresh_nonce());
  for (const Pid pid : {-1, 5, 1 << 30, -(1 << 30)}) {
    std::memcpy(hello.data() + 16, &pid, sizeof pid);
    EXPECT_EQ(check_hello(acceptor, hello).complaint, "it says that it is pid " + std::to_string(pid) + " of 5");
  }
  hello = make_hello(testing::handshake_endpoints(3), 1, fresh_nonce());
  hello[8] = std::byte{9};
  EXPECT_EQ(check_hello(acceptor, hello).complaint, "wrong protocol version (ours 4, theirs 9)");
  EXPECT_EQ(check_hello(acceptor, Hello{}).complaint, "this is not Cohort's protocol");
}

TEST(Handshake, NoncesAreFresh) { EXPECT_NE(fresh_nonce(), fresh_nonce()); }

}  // namespace
}  // namespace cohort::handshake
