#include "tests/contract/tcp_world.hpp"

#include <string>
#include <vector>

#include "runtime/transport/tcp/tcp_transport.hpp"
#include "tests/support/threads.hpp"

namespace cohort {
namespace {

void run(int ranks, const std::function<std::string(Pid)>& host_of,
         const std::function<void(Pid me, Transport&)>& rank) {
  Job job;
  job.id = 42;
  job.secret.fill(7);
  job.processes.clear();
  std::vector<TcpListener> listeners;
  for (int pid = 0; pid < ranks; ++pid) {
    listeners.emplace_back(ListenAt{"127.0.0.1"});
    job.processes.push_back({host_of(pid), "127.0.0.1", listeners.back().port(), 1000u + static_cast<unsigned>(pid)});
  }
  testing::run_in_threads(ranks, [&](Pid pid) {
    Job mine = job;
    mine.me = pid;
    const std::unique_ptr<Transport> transport =
        make_tcp_transport(mine, std::move(listeners[static_cast<std::size_t>(pid)]));
    rank(pid, *transport);
  });
}

}  // namespace

void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run(
      ranks, [](Pid) { return "localhost"; }, rank);
}

void run_between_hosts(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run(
      ranks, [](Pid pid) { return "host" + std::to_string(pid); }, rank);
}

}  // namespace cohort
