// SPDX-License-Identifier: Apache-2.0
// One thread's wait. It lives on the thread's stack while the thread waits.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "runtime/transport/transport.hpp"

namespace cohort::detail {

class Pending;

class Wait {
 public:
  virtual bool over() const = 0;

  // The process whose message the wait needs next, or -1.
  virtual Pid expected() const { return -1; }

  // Visits the operations of which one has to end. A wait without operations waits for the launcher.
  virtual void each_awaited(const std::function<void(Pending&)>&) const {}

  virtual std::string what() const { return {}; }  // of a wait for the launcher: the call; empty: the process leaves

  // For the runtime.
  Wait* earlier = nullptr;
  Wait* later = nullptr;
  std::uint64_t number = 0;     // distinguishes the waits of a process
  Nanoseconds since{0};         // 0: it has just begun
  Nanoseconds told_blocked{0};  // when it was reported last; 0: never
  bool told_impatient = false;

 protected:
  ~Wait() = default;
};

class WaitUntil final : public Wait {
 public:
  explicit WaitUntil(const std::function<bool()>& done, std::string what = {}) : done_(done), what_(std::move(what)) {}
  bool over() const override { return done_(); }
  std::string what() const override { return what_; }

 private:
  const std::function<bool()>& done_;
  const std::string what_;
};

}  // namespace cohort::detail
