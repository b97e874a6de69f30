// SPDX-License-Identifier: Apache-2.0
// What the agent has sent: kept by the thread that listens, for the one that polls. To see that there is nothing takes
// no lock, because a program that tests a request in a loop looks each time.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

#include "proto/process.pb.h"

namespace cohort {

class AgentNews {
 public:
  struct Taken {
    std::deque<process::v1::ToProcess> messages;
    std::string ended;  // why no more will come; each take() says so
  };

  bool empty() const { return !any_.load(std::memory_order_acquire); }

  void add(const process::v1::ToProcess& message) {
    const std::lock_guard lock(mutex_);
    kept_.messages.push_back(message);
    any_ = true;
  }
  void end(const std::string& why) {
    const std::lock_guard lock(mutex_);
    kept_.ended = why;
    any_ = true;
  }
  Taken take() {
    const std::lock_guard lock(mutex_);
    Taken taken{{}, kept_.ended};
    taken.messages.swap(kept_.messages);
    any_ = !kept_.ended.empty();
    return taken;
  }

 private:
  std::mutex mutex_;
  Taken kept_;
  std::atomic<bool> any_{false};
};

}  // namespace cohort
