// SPDX-License-Identifier: Apache-2.0
// The mutual challenge with which every connection starts: its messages, made and checked, without any I/O.
//
//   dialer -> acceptor   hello      64 bytes: who dials, whom, of which job, a nonce
//   acceptor -> dialer   challenge  48 bytes: who answers, a nonce
//   dialer -> acceptor   proof      32 bytes: HMAC-SHA-256 under the job's secret over "dialer", hello and challenge
//   acceptor -> dialer   answer     40 bytes: the verdict, and the same over "acceptor", hello, challenge and verdict
//
// Both proofs contain both nonces, which are fresh, so that nothing recorded can be replayed. They contain the role's
// name, so that nothing can be sent back to its sender. All sizes are fixed, all numbers little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "runtime/transport/endpoints.hpp"

namespace cohort::handshake {

using Nonce = std::array<std::byte, 24>;
using Hello = std::array<std::byte, 64>;
using Challenge = std::array<std::byte, 48>;
using Proof = std::array<std::byte, 32>;
using Answer = std::array<std::byte, 40>;

inline constexpr std::uint32_t protocol_version = 4;  // of the handshake and of frames

enum class Verdict : std::uint8_t {
  accepted = 1,
  duplicate = 2,  // the two are connected already, or will be through the acceptor's own dial
};

Nonce fresh_nonce();  // from the system's random numbers; throws Error(internal) if there are none

Hello make_hello(const Endpoints& job, Pid to, const Nonce& nonce);
Challenge make_challenge(const Endpoints& job, const Nonce& nonce);
Proof make_proof(const Endpoints& job, const Hello& hello, const Challenge& challenge);
Answer make_answer(const Endpoints& job, const Hello& hello, const Challenge& challenge, Verdict verdict);

// The acceptor's checks. A caller is the pid that a hello comes from, or a complaint about the hello.
struct Caller {
  Pid pid = -1;
  std::string complaint;
};
Caller check_hello(const Endpoints& job, const Hello& hello);
bool check_proof(const Endpoints& job, const Hello& hello, const Challenge& challenge, const Proof& proof);

// The dialer's checks. Returns what is wrong with the challenge; empty if it comes from process `to`.
std::string check_challenge(const Endpoints& job, Pid to, const Challenge& challenge);
std::optional<Verdict> check_answer(const Endpoints& job, const Hello& hello, const Challenge& challenge,
                                    const Answer& answer);

}  // namespace cohort::handshake
