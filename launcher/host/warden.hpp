// A tiny process that outlives its parent, the launcher or an agent, by one moment: it knows the process groups that
// the parent started, and when the parent ends in any way but in order, kill -9 included, it kills them, and what has
// left these groups and carries the job's mark.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>

namespace cohort {

class Warden {
 public:
  // Forks. Call it early: while the process has one thread and little memory. `clean_up` is called in the warden, if
  // the parent has not ended in order; it must not throw.
  explicit Warden(const std::function<void()>& clean_up = nullptr);
  // All ended in order: ends the warden, also one that something has stopped.
  ~Warden();
  Warden(const Warden&) = delete;
  Warden& operator=(const Warden&) = delete;

  void forget(pid_t group);

  // The job whose processes the parent starts.
  void know(std::uint64_t job);

  // Once this has been called, the parent is killed if it is not called again for this time: something has stopped it.
  void alive(std::chrono::nanoseconds limit);

  // For a child between fork and exec: has its own group watched. `descriptor` is the parent's descriptor().
  static void watch_me(int descriptor);
  int descriptor() const { return pipe_; }

 private:
  struct Note;
  static bool write_note(int pipe, const Note& note, int limit_ms);
  [[noreturn]] static void watch(int pipe, const std::function<void()>& clean_up);
  void tell(const Note& note, int limit_ms) const;
  void signal(int number) const;

  int pipe_ = -1;     // the end that only the parent holds: its closing is the sign
  int process_ = -1;  // its pidfd: whoever has its number may be another one, once it has been killed
};

}  // namespace cohort
