// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/handshake.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "cohort/error.hpp"

namespace cohort::handshake {
namespace {

constexpr std::uint64_t magic(std::string_view text) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
  return number;
}
constexpr std::uint64_t hello_magic = magic("cohort h");
constexpr std::uint64_t challenge_magic = magic("cohort c");
constexpr std::size_t version_at = 8;  // of both messages; four zero bytes follow
namespace hello_at {
constexpr std::size_t from = 16;
constexpr std::size_t to = 20;
constexpr std::size_t job = 24;
constexpr std::size_t incarnation = 32;
constexpr std::size_t nonce = 40;
}  // namespace hello_at
namespace challenge_at {
constexpr std::size_t incarnation = 16;
constexpr std::size_t nonce = 24;
}  // namespace challenge_at
constexpr std::size_t answer_proof_at = 8;

template <class T>
void put(std::span<std::byte> message, std::size_t at, const T& value) {
  std::memcpy(message.data() + at, &value, sizeof value);
}

template <class T>
T get(std::span<const std::byte> message, std::size_t at) {
  T value{};
  std::memcpy(&value, message.data() + at, sizeof value);
  return value;
}

Proof authenticate(const Endpoints& job, std::string_view role, const Hello& hello, const Challenge& challenge,
                   std::uint64_t verdict) {
  std::array<unsigned char, 16 + sizeof(Hello) + sizeof(Challenge) + sizeof verdict> text{};
  std::copy(role.begin(), role.end(), text.begin());
  std::memcpy(text.data() + 16, hello.data(), hello.size());
  std::memcpy(text.data() + 16 + hello.size(), challenge.data(), challenge.size());
  std::memcpy(text.data() + 16 + hello.size() + challenge.size(), &verdict, sizeof verdict);
  Proof proof{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), job.secret.data(), static_cast<int>(job.secret.size()), text.data(), text.size(),
           reinterpret_cast<unsigned char*>(proof.data()), &size) == nullptr ||
      size != proof.size()) {
    throw Error(ErrorCode::internal, "cannot compute HMAC-SHA-256 for the greeting of a connection");
  }
  return proof;
}

Proof acceptor_proof(const Endpoints& job, const Hello& hello, const Challenge& challenge, std::uint64_t verdict) {
  return authenticate(job, "cohort acceptor", hello, challenge, verdict);
}

bool same(const Proof& a, const std::byte* b) { return CRYPTO_memcmp(a.data(), b, a.size()) == 0; }

std::string ours_and_theirs(const std::string& what, std::uint64_t ours, std::uint64_t theirs) {
  return "wrong " + what + " (ours " + std::to_string(ours) + ", theirs " + std::to_string(theirs) + ")";
}

}  // namespace

Nonce fresh_nonce() {
  Nonce nonce;
  // OpenSSL's generator would take 150 KB in each process.
  if (::getentropy(nonce.data(), nonce.size()) != 0) {
    throw Error(ErrorCode::internal, "the system gives no random numbers for the greeting of a connection");
  }
  return nonce;
}

Hello make_hello(const Endpoints& job, Pid to, const Nonce& nonce) {
  Hello hello{};
  put(hello, 0, hello_magic);
  put(hello, version_at, protocol_version);
  put(hello, hello_at::from, job.me);
  put(hello, hello_at::to, to);
  put(hello, hello_at::job, job.id);
  put(hello, hello_at::incarnation, job.address(job.me).incarnation);
  put(hello, hello_at::nonce, nonce);
  return hello;
}

Challenge make_challenge(const Endpoints& job, const Nonce& nonce) {
  Challenge challenge{};
  put(challenge, 0, challenge_magic);
  put(challenge, version_at, protocol_version);
  put(challenge, challenge_at::incarnation, job.address(job.me).incarnation);
  put(challenge, challenge_at::nonce, nonce);
  return challenge;
}

Proof make_proof(const Endpoints& job, const Hello& hello, const Challenge& challenge) {
  return authenticate(job, "cohort dialer", hello, challenge, 0);
}

Answer make_answer(const Endpoints& job, const Hello& hello, const Challenge& challenge, Verdict verdict) {
  Answer answer{};
  const auto number = static_cast<std::uint64_t>(verdict);
  put(answer, 0, number);
  put(answer, answer_proof_at, acceptor_proof(job, hello, challenge, number));
  return answer;
}

Caller check_hello(const Endpoints& job, const Hello& hello) {
  const auto refuse = [](std::string complaint) { return Caller{-1, std::move(complaint)}; };
  if (get<std::uint64_t>(hello, 0) != hello_magic) return refuse("this is not Cohort's protocol");
  const auto version = get<std::uint32_t>(hello, version_at);
  if (version != protocol_version) return refuse(ours_and_theirs("protocol version", protocol_version, version));
  if (get<std::uint32_t>(hello, version_at + 4) != 0) return refuse("this is not Cohort's protocol");
  const auto id = get<std::uint64_t>(hello, hello_at::job);
  if (id != job.id) return refuse(ours_and_theirs("job id", job.id, id));
  const auto to = get<Pid>(hello, hello_at::to);
  if (to != job.me) return refuse("it looks for pid " + std::to_string(to) + ", we are " + std::to_string(job.me));
  const auto from = get<Pid>(hello, hello_at::from);
  if (from < 0 || from >= job.ranks() || from == job.me) {
    return refuse("it says that it is pid " + std::to_string(from) + " of " + std::to_string(job.ranks()));
  }
  if (get<std::uint64_t>(hello, hello_at::incarnation) != job.address(from).incarnation) {
    return refuse("it is not the pid " + std::to_string(from) + " of this job (wrong incarnation)");
  }
  return {from, {}};
}

bool check_proof(const Endpoints& job, const Hello& hello, const Challenge& challenge, const Proof& proof) {
  return same(make_proof(job, hello, challenge), proof.data());
}

std::string check_challenge(const Endpoints& job, Pid to, const Challenge& challenge) {
  if (get<std::uint64_t>(challenge, 0) != challenge_magic) return "what answers is not a process of Cohort";
  const auto version = get<std::uint32_t>(challenge, version_at);
  if (version != protocol_version) return ours_and_theirs("protocol version", protocol_version, version);
  if (get<std::uint32_t>(challenge, version_at + 4) != 0) return "what answers is not a process of Cohort";
  if (get<std::uint64_t>(challenge, challenge_at::incarnation) != job.address(to).incarnation) {
    return "what answers is not the pid " + std::to_string(to) + " of this job (wrong incarnation)";
  }
  return {};
}

std::optional<Verdict> check_answer(const Endpoints& job, const Hello& hello, const Challenge& challenge,
                                    const Answer& answer) {
  const auto number = get<std::uint64_t>(answer, 0);
  if (!same(acceptor_proof(job, hello, challenge, number), answer.data() + answer_proof_at)) return std::nullopt;
  if (number != static_cast<std::uint64_t>(Verdict::accepted) &&
      number != static_cast<std::uint64_t>(Verdict::duplicate)) {
    return std::nullopt;
  }
  return static_cast<Verdict>(number);
}

}  // namespace cohort::handshake
