// One thread's wait: on its stack, for as long as it takes.
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

  // The process that it needs a message from next, or -1.
  virtual Pid expected() const { return -1; }

  // The operations of which one has to end. None: it is the launcher's word that is awaited.
  virtual void each_awaited(const std::function<void(Pending&)>&) const {}

  virtual std::string what() const { return {}; }  // for such a one: the call; empty: the process leaves

  // The runtime's.
  Wait* earlier = nullptr;
  Wait* later = nullptr;
  std::uint64_t number = 0;     // tells the waits of a process apart
  Nanoseconds since{0};         // 0: it has just begun
  Nanoseconds told_blocked{0};  // when, last; 0: not yet
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
