// SPDX-License-Identifier: Apache-2.0
// A thread beside the program's own that sleeps nearly always. It listens to the agent, also while the program
// computes, and answers questions about what the process is doing. It reports long waits, greets new connections, and
// flushes messages that were held back.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/control/control_link.hpp"

namespace cohort::detail {

class Runtime;

// A timer that rings once each time it is set.
class Alarm {
 public:
  Alarm();  // throws Error(job) if the system gives no timer
  ~Alarm();
  Alarm(const Alarm&) = delete;

  void set(std::chrono::nanoseconds delay);  // does nothing if it is set. By any thread.
  int descriptor() const { return timer_; }  // readable when it rings
  void stop();                               // ends the ringing

 private:
  const int timer_;
  std::atomic<bool> set_ = false;
};

class Watcher {
 public:
  // Throws Error(job) if the system gives no thread or timer.
  Watcher(Runtime& runtime, ControlLink& control);
  ~Watcher();
  Watcher(const Watcher&) = delete;

  // Makes the thread call Runtime::flush() within a millisecond. By any thread.
  void flush_soon();

 private:
  void watch();

  Runtime& runtime_;
  ControlLink& control_;
  const std::chrono::nanoseconds tick_;
  Alarm alarm_;
  std::thread thread_;  // last, because it uses the other members
};

}  // namespace cohort::detail
