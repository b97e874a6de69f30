// SPDX-License-Identifier: Apache-2.0
// A tiny process that outlives its parent, the launcher or an agent, for a moment. The warden knows the process groups
// that the parent has started. If the parent ends out of order, even by SIGKILL, the warden kills these groups. It also
// kills the job's marked processes that have left their groups.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>

namespace cohort {

class Warden {
 public:
  // Forks: call it early, while the process has one thread and little memory. The warden calls `clean_up`, which must
  // not throw, if the parent ended out of order.
  explicit Warden(const std::function<void()>& clean_up = nullptr);
  // The parent ends in order: ends the warden, even a stopped one.
  ~Warden();
  Warden(const Warden&) = delete;
  Warden& operator=(const Warden&) = delete;

  void forget(pid_t group);

  // Tells the warden the job whose processes the parent starts.
  void know(std::uint64_t job);

  // After the first call, the parent must call alive() again within the limit. Otherwise the warden kills the parent,
  // because something has stopped it.
  void alive(std::chrono::nanoseconds limit);

  // For a child between fork and exec: the warden watches the child's group. `descriptor` is the parent's descriptor().
  static void watch_me(int descriptor);
  int descriptor() const { return pipe_; }

 private:
  struct Note;
  static bool write_note(int pipe, const Note& note, int limit_ms);
  [[noreturn]] static void watch(int pipe, const std::function<void()>& clean_up);
  void tell(const Note& note, int limit_ms) const;
  void signal(int number) const;

  int pipe_ = -1;     // held by the parent only, so that the pipe closes when the parent ends
  int process_ = -1;  // the warden's pidfd: the system may reuse a process number
};

}  // namespace cohort
