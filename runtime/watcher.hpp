// A thread beside the program's own, asleep but for a moment now and then: it hears the agent also while they compute,
// says what they are doing when it is asked, and tells when one of them waits for long.
#pragma once

#include <chrono>
#include <thread>

#include "runtime/control/control_link.hpp"

namespace cohort::detail {

class Runtime;

class Watcher {
 public:
  // Throws Error(job) if the system gives no thread.
  Watcher(Runtime& runtime, ControlLink& control);
  ~Watcher();
  Watcher(const Watcher&) = delete;

 private:
  void watch();

  Runtime& runtime_;
  ControlLink& control_;
  const std::chrono::nanoseconds tick_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cohort::detail
