#include <exception>
#include <thread>

#include "runtime/transport/tcp/tcp_transport.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

// Ranks as threads, their sockets on the loopback interface.
void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  Job job;
  job.id = 42;
  job.secret.fill(7);
  job.processes.clear();
  std::vector<TcpListener> listeners;
  for (int pid = 0; pid < ranks; ++pid) {
    listeners.emplace_back("127.0.0.1");
    job.processes.push_back({"localhost", "127.0.0.1", listeners.back().port(), 1000u + static_cast<unsigned>(pid)});
  }
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int pid = 0; pid < ranks; ++pid) {
    threads.emplace_back([&, pid] {
      const auto index = static_cast<std::size_t>(pid);
      try {
        Job mine = job;
        mine.me = pid;
        const std::unique_ptr<Transport> transport = make_tcp_transport(mine, std::move(listeners[index]));
        rank(pid, *transport);
      } catch (...) {
        thrown[index] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

INSTANTIATE_TEST_SUITE_P(Tcp, TransportContract, testing::Values(World{"tcp", true, run_over_tcp}));

}  // namespace
}  // namespace cohort
