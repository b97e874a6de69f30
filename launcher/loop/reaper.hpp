// SPDX-License-Identifier: Apache-2.0
// Waits for the children of this process, in the event loop.
#pragma once

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <functional>
#include <unordered_map>

namespace cohort {

class Reaper {
 public:
  using Ended = std::function<void(int wait_status)>;

  explicit Reaper(asio::io_context& loop);

  // Calls `ended` once, from the event loop, when the child has ended.
  void watch(pid_t child, Ended ended);

  // Reaps the children that have ended by now, without waiting for SIGCHLD.
  void reap();

 private:
  void wait();

  asio::signal_set signals_;
  std::unordered_map<pid_t, Ended> children_;
};

}  // namespace cohort
