// SPDX-License-Identifier: Apache-2.0
// The two sides of the handshake as machines: bytes come in, split anywhere; bytes to send and verdicts come out. They
// know no socket and no clock. A side never takes more bytes than it wants: the bytes after the last message belong to
// the connection.
#pragma once

#include <span>

#include "runtime/time_source.hpp"
#include "runtime/transport/frame.hpp"
#include "runtime/transport/tcp/handshake.hpp"

namespace cohort::handshake {

// A message from the other side that arrives piece by piece.
class Incoming {
 public:
  template <class Message>
  void expect() {
    size_ = sizeof(Message);
    filled_ = 0;
  }
  void expect_nothing() { size_ = filled_ = 0; }
  std::size_t missing() const { return size_ - filled_; }
  void add(ConstBytes bytes);  // at most missing()

  template <class Message>
  Message message() const {
    Message message;
    std::copy_n(bytes_.begin(), message.size(), message.begin());
    return message;
  }

 private:
  std::array<std::byte, sizeof(Hello)> bytes_{};  // the size of the largest message
  std::size_t size_ = 0;
  std::size_t filled_ = 0;
};

// The side that was connected to. The caller has to prove its identity within a limit.
class AcceptorSide {
 public:
  static constexpr Nanoseconds limit = std::chrono::seconds(2);

  // `now` is attended time, here and in late(). `nonce` is fresh.
  AcceptorSide(const Endpoints& endpoints, const Nonce& nonce, Nanoseconds now);

  enum class State : std::uint8_t { awaits_hello, awaits_proof, awaits_verdict, answered, refused };
  State state() const { return state_; }

  std::size_t wanted() const { return incoming_.missing(); }
  // Takes at most wanted() bytes. Returns the bytes to send, which are valid as long as the machine. Throws
  // Error(internal) if the proofs can't be computed.
  ConstBytes take(ConstBytes bytes);
  // Decides on a caller that awaits its verdict. Returns the bytes to send.
  ConstBytes answer(Verdict verdict);

  Pid caller() const { return caller_; }  // the member of the job that it claims to be; -1: not known yet
  bool proven() const { return state_ == State::awaits_verdict || state_ == State::answered; }
  bool late(Nanoseconds now) const { return !proven() && now - since_ >= limit; }
  const std::string& complaint() const { return complaint_; }  // why the caller was refused

 private:
  ConstBytes hear_hello();
  void hear_proof();
  void refuse(std::string complaint);

  const Endpoints& endpoints_;
  const Nanoseconds since_;
  State state_ = State::awaits_hello;
  Incoming incoming_;
  Hello hello_{};
  const Challenge challenge_;
  Answer answer_{};
  Pid caller_ = -1;
  std::string complaint_;
};

// The side of the process that has connected to another one.
class DialerSide {
 public:
  DialerSide(const Endpoints& endpoints, Pid to, const Nonce& nonce);

  enum class State : std::uint8_t { awaits_challenge, awaits_answer, accepted, duplicate, refused };
  State state() const { return state_; }
  bool over() const { return state_ > State::awaits_answer; }

  ConstBytes hello() const { return hello_; }  // to send first
  std::size_t wanted() const { return incoming_.missing(); }
  ConstBytes take(ConstBytes bytes);  // as in AcceptorSide

  const std::string& cause() const { return cause_; }  // why the dial was not accepted

 private:
  ConstBytes hear_challenge();
  void hear_answer();
  void end(State state, std::string cause);

  const Endpoints& endpoints_;
  const Pid to_;
  State state_ = State::awaits_challenge;
  Incoming incoming_;
  const Hello hello_;
  Challenge challenge_{};
  Proof proof_{};
  std::string cause_;
};

}  // namespace cohort::handshake
