// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/tcp_world.hpp"

#include <string>
#include <vector>

#include "runtime/transport/tcp/tcp_transport.hpp"
#include "tests/support/threads.hpp"

namespace cohort {
namespace {

std::vector<std::unique_ptr<Transport>> make_transports(int ranks, const std::function<std::string(Pid)>& host_of) {
  Endpoints job;
  job.id = 42;
  job.secret.fill(7);
  job.processes.clear();
  std::vector<TcpListener> listeners;
  for (int pid = 0; pid < ranks; ++pid) {
    listeners.emplace_back(ListenAt{"127.0.0.1"});
    job.processes.push_back({host_of(pid), "127.0.0.1", listeners.back().port(), 1000u + static_cast<unsigned>(pid)});
  }
  std::vector<std::unique_ptr<Transport>> transports;
  for (job.me = 0; job.me < ranks; ++job.me) {
    transports.push_back(make_tcp_transport(job, std::move(listeners[static_cast<std::size_t>(job.me)])));
  }
  return transports;
}

std::string one_host(Pid) { return "localhost"; }

}  // namespace

std::vector<std::unique_ptr<Transport>> make_tcp_transports(int ranks) { return make_transports(ranks, one_host); }

void run_each(std::vector<std::unique_ptr<Transport>> transports, const std::function<void(Pid me, Transport&)>& rank) {
  testing::run_in_threads(static_cast<Pid>(transports.size()), [&](Pid me) {
    const std::unique_ptr<Transport> mine = std::move(transports[static_cast<std::size_t>(me)]);
    rank(me, *mine);
  });
}

void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_each(make_transports(ranks, one_host), rank);
}

void run_between_hosts(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_each(make_transports(ranks, [](Pid pid) { return "host" + std::to_string(pid); }), rank);
}

}  // namespace cohort
