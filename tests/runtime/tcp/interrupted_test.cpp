// SPDX-License-Identifier: Apache-2.0
// Sockets that take little at a time, and system calls that a signal interrupts, whatever the program calls.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/support/collective_checks.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

// While it lives, every thread that takes part gets one signal after the other.
class Pest {
 public:
  Pest() {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // no SA_RESTART: what sleeps returns EINTR
    ::sigaction(SIGUSR1, &action, &before_);
  }
  ~Pest() {
    pester_.request_stop();
    pester_.join();
    ::sigaction(SIGUSR1, &before_, nullptr);
  }

  void disturb_me() {
    const std::lock_guard guard(lock_);
    threads_.push_back(::pthread_self());
  }
  void leave_me_alone() {
    const std::lock_guard guard(lock_);
    std::erase_if(threads_, [](pthread_t thread) { return ::pthread_equal(thread, ::pthread_self()) != 0; });
  }

 private:
  struct sigaction before_ {};
  std::mutex lock_;
  std::vector<pthread_t> threads_;
  std::jthread pester_{[this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        const std::lock_guard guard(lock_);
        for (const pthread_t thread : threads_) ::pthread_kill(thread, SIGUSR1);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));  // they are to get something done, too
    }
  }};
};

void set_on_all_sockets(int level, int option, int value) {
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    ::setsockopt(descriptor, level, option, &value, sizeof value);  // others are no sockets
  }
}

// Of the connections that are made from now on. What is less than a packet is acknowledged late, and one of the
// loopback interface's is more than a narrow connection takes.
void let_packets_be_small() { set_on_all_sockets(IPPROTO_TCP, TCP_MAXSEG, 536); }

// The system makes of it the least that it allows: a few KiB.
void narrow_all_connections() { set_on_all_sockets(SOL_SOCKET, SO_SNDBUF, 1); }

class Interrupted : public ::testing::TestWithParam<CollectiveCheck> {};

TEST_P(Interrupted, Case23CollectivesAreRight) {
  Pest pest;
  run_all({Kind::tcp, 4, true, {}}, [&](const Group& all) {
    let_packets_be_small();
    std::vector<int> mine(4), others(4);
    all.index(mine, others);  // connects all
    narrow_all_connections();
    pest.disturb_me();
    GetParam().run(all);
    std::vector<std::int64_t> much(20'000, all.rank());
    all.combine(in_place(much), sum);
    EXPECT_EQ(std::ranges::count(much, 6), 20'000);
    pest.leave_me_alone();
  });
}

INSTANTIATE_TEST_SUITE_P(Each, Interrupted, ::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cohort::testing
