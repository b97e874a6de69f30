// SPDX-License-Identifier: Apache-2.0
#include "launcher/loop/reaper.hpp"

#include <sys/wait.h>

#include <csignal>
#include <utility>

namespace cohort {

Reaper::Reaper(asio::io_context& loop) : signals_(loop, SIGCHLD) { wait(); }

void Reaper::watch(pid_t child, Ended ended) { children_.emplace(child, std::move(ended)); }

void Reaper::wait() {
  signals_.async_wait([this](const asio::error_code& error, int) {
    if (error) return;
    wait();  // before reap(): a child that ends from here on raises a new signal
    reap();
  });
}

void Reaper::reap() {
  int status = 0;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto found = children_.find(child);
    if (found == children_.end()) continue;
    const Ended ended = std::move(found->second);
    children_.erase(found);
    ended(status);
  }
}

}  // namespace cohort
