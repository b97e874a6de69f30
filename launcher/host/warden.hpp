// A tiny process that outlives its parent, the launcher or an agent, for a moment. It knows the process groups that the
// parent has started. When the parent ends without having said so, even by SIGKILL, the warden kills these groups, and
// the job's marked processes that have left them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>

namespace cohort {

class Warden {
 public:
  // Forks. Call it early, while the process has one thread and little memory. The warden calls `clean_up` if the parent
  // has not ended in order; it must not throw.
  explicit Warden(const std::function<void()>& clean_up = nullptr);
  // Everything ended in order: ends the warden, even a stopped one.
  ~Warden();
  Warden(const Warden&) = delete;
  Warden& operator=(const Warden&) = delete;

  void forget(pid_t group);

  // The job whose processes the parent starts.
  void know(std::uint64_t job);

  // After the first call, the warden kills the parent if this is not called again within the limit: something has
  // stopped the parent.
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

  int pipe_ = -1;     // held by the parent only: the warden sees it close
  int process_ = -1;  // its pidfd: its number may belong to another process later
};

}  // namespace cohort
