// SPDX-License-Identifier: Apache-2.0
// A process that has the job's secret, and has greeted the others with it, looks for copies of it in its own memory: in
// all that a core dump of it would hold. Rank 0 first says what the secret is, and waits for a line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "cohort/cohort.hpp"
#include "runtime/control/control_link.hpp"
#include "runtime/runtime.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace {

// Of what is written and is not marked as not to be dumped.
int copies_of(const cohort::Secret& secret) {
  std::ifstream maps("/proc/self/smaps");
  std::uintptr_t begin = 0, end = 0;
  bool writable = false;
  int copies = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char rights[8] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s ", &from, &to, rights) == 3) {
      begin = from;
      end = to;
      writable = std::strncmp(rights, "rw", 2) == 0;
    }
    if (!line.starts_with("VmFlags:") || !writable || line.find(" dd") != std::string::npos) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(begin);  // NOLINT: read from /proc
    for (auto left = end - begin; const void* found = ::memmem(at, left, secret.data(), secret.size());) {
      ++copies;
      const auto* next = static_cast<const unsigned char*>(found) + 1;
      left -= static_cast<std::uintptr_t>(next - at);
      at = next;
    }
  }
  return copies;
}

}  // namespace

int main() {
  std::unique_ptr<cohort::ControlLink> control = cohort::ControlLink::inherited();
  cohort::TcpListener listener(control->listen_at());
  cohort::Job job = control->join(listener.port(), 1);
  std::unique_ptr<cohort::Transport> transport = cohort::make_tcp_transport(job, std::move(listener));
  const auto runtime =
      std::make_shared<cohort::detail::Runtime>(std::move(job), std::move(transport), std::move(control));
  cohort::Process self(runtime);
  const cohort::Secret& secret = runtime->job().secret;
  int value = self.pid();
  self.all().combine(cohort::in_place(std::span(&value, 1)), cohort::sum);
  if (self.pid() == 0) {
    for (std::size_t i = 0; i < secret.size(); ++i) std::printf("%02x", secret.data()[i]);
    std::printf("\n");
    std::fflush(stdout);
    std::string line;
    std::getline(std::cin, line);
  }
  self.all().sync();
  std::cout << copies_of(secret) << " copies\n";
}
