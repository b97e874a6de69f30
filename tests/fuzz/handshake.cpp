// What a stranger says to the acceptor, and what answers the dialer: any bytes at all.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "runtime/transport/frame.hpp"
#include "runtime/transport/tcp/handshake.hpp"

namespace {

using namespace cohort;

Endpoints job_of(Pid me) {
  Endpoints job;
  job.id = 7;
  job.secret.fill(0x5a);
  job.me = me;
  job.processes.assign(3, {});
  for (std::size_t pid = 0; pid < 3; ++pid) job.processes[pid].incarnation = 100 + pid;
  return job;
}

template <class Message>
Message take(ConstBytes& bytes) {
  Message message{};
  const std::size_t size = std::min(message.size(), bytes.size());
  std::copy_n(bytes.data(), size, message.data());
  bytes = bytes.subspan(size);
  return message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Endpoints acceptor = job_of(1), dialer = job_of(2);
  ConstBytes bytes(reinterpret_cast<const std::byte*>(data), size);
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
