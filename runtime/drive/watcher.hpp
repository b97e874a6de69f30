// A thread beside the program's own, asleep but for a moment now and then: it hears the agent also while they compute,
// says what they are doing when it is asked, tells when one of them waits for long, receives whoever connects, and lets
// leave what was held back.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/control/control_link.hpp"

namespace cohort::detail {

class Runtime;

// Rings once for each time that it is set.
class Alarm {
 public:
  Alarm();  // throws Error(job) if the system gives no timer
  ~Alarm();
  Alarm(const Alarm&) = delete;

  void set(std::chrono::nanoseconds delay);  // nothing if it is. By any thread.
  int descriptor() const { return timer_; }  // readable when it rings
  void stop();                               // ringing

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

  // Runtime::flush() is called within a millisecond. By any thread.
  void flush_soon();

 private:
  void watch();

  Runtime& runtime_;
  ControlLink& control_;
  const std::chrono::nanoseconds tick_;
  Alarm alarm_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cohort::detail
