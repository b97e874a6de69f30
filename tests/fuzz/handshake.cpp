// SPDX-License-Identifier: Apache-2.0
// What a stranger says to the acceptor, and what answers the dialer: any bytes at all.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "runtime/transport/frame.hpp"
#include "runtime/transport/tcp/greeting.hpp"
#include "tests/runtime/tcp/handshake_endpoints.hpp"

namespace {

using namespace cohort;

// As in the inputs of the corpus.
Endpoints job_of(Pid me) { return testing::handshake_endpoints(me, 3, 7, 100); }

template <class Message>
Message take(ConstBytes& bytes) {
  Message message{};
  const std::size_t size = std::min(message.size(), bytes.size());
  std::copy_n(bytes.data(), size, message.data());
  bytes = bytes.subspan(size);
  return message;
}

// To a side as a network may bring it: the bytes themselves say in which pieces.
template <class Side>
void feed(Side& side, ConstBytes bytes) {
  while (!bytes.empty() && side.wanted() > 0) {
    const std::size_t size = std::min({bytes.size(), side.wanted(), 1 + std::to_integer<std::size_t>(bytes[0]) % 67});
    side.take(bytes.first(size));
    bytes = bytes.subspan(size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Endpoints acceptor = job_of(1), dialer = job_of(2);
  ConstBytes bytes(reinterpret_cast<const std::byte*>(data), size);
  handshake::AcceptorSide acceptor_side(acceptor, {}, Nanoseconds(0));
  feed(acceptor_side, bytes);
  if (acceptor_side.proven()) std::abort();
  handshake::DialerSide dialer_side(dialer, 1, {});
  feed(dialer_side, bytes);
  if (dialer_side.over() && dialer_side.state() != handshake::DialerSide::State::refused) std::abort();
  const auto hello = take<handshake::Hello>(bytes);
  const auto challenge = take<handshake::Challenge>(bytes);
  const auto proof = take<handshake::Proof>(bytes);
  const auto answer = take<handshake::Answer>(bytes);

  const handshake::Caller caller = handshake::check_hello(acceptor, hello);
  if ((caller.pid < 0) == caller.complaint.empty() || caller.pid == acceptor.me || caller.pid >= 3) std::abort();
  // Who does not have the secret gets nowhere: a proof that is right by chance does not turn up.
  if (handshake::check_proof(acceptor, hello, handshake::make_challenge(acceptor, {}), proof)) std::abort();
  static_cast<void>(handshake::check_challenge(dialer, 1, challenge));
  if (handshake::check_answer(dialer, handshake::make_hello(dialer, 1, {}), challenge, answer)) std::abort();
  return 0;
}
