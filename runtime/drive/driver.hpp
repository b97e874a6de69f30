// Who drives progress.
//
// Any thread may call. The process's state is under one mutex; of the threads that wait, one at a time drives, and
// sleeps without holding the mutex, while the others follow. What was started and nobody waits for goes on in calls
// that have nothing to wait for, and by the progress thread, where the job has one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

#include "runtime/drive/ended_requests.hpp"
#include "runtime/drive/idling.hpp"
#include "runtime/inert.hpp"
#include "runtime/observe/waits.hpp"

namespace cohort::detail {

// What is driven. Under the mutex, but for sleep().
class Driven {
 public:
  // One round of progress, without waiting: whether anything has happened. `expected` as Transport::poll() has it.
  virtual bool move(Pid expected) = 0;
  virtual void look_around() = 0;  // at what no message tells of, now and then

  // Before nobody drives for a while: the driver sleeps, for so long at most, or its thread goes back to the program.
  virtual Nanoseconds before_pause() = 0;
  virtual void sleep(Nanoseconds limit) = 0;
  // The driver has slept since then.
  virtual void after_sleep(const Wait& wait, Nanoseconds since, Nanoseconds limit) = 0;
  virtual void wake() = 0;  // ends a sleep

  virtual Nanoseconds now() = 0;
  virtual bool has_ended() const = 0;  // the process has left: whatever waits is over
  virtual void broke(const std::exception& error) = 0;

 protected:
  ~Driven() = default;
};

class Driver {
 public:
  Driver(Driven& driven, const Idling& idling) : driven_(driven), idling_(idling) {}
  Driver(const Driver&) = delete;

  // Holds the mutex. A driver that spins lets threads in that wait for it; `before` is called where it has to be waited
  // for.
  template <class Before>
  std::unique_lock<std::mutex> enter(const Before& before) {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) return lock;
    before();
    entering_.fetch_add(1, std::memory_order_relaxed);
    lock.lock();
    entering_.fetch_sub(1, std::memory_order_relaxed);
    return lock;
  }

  // The rest is under the mutex.

  Waits& waits() { return waits_; }
  const Waits& waits() const { return waits_; }

  // Drives, or follows who does, until the wait is over.
  void wait(std::unique_lock<std::mutex>& lock, Wait& wait);

  // One round of progress, without waiting, unless another thread drives. Returns whether anything has happened.
  bool once();

  // For calls that have nothing to wait for: what was started goes on in these, too.
  void in_passing();

  bool drives() const { return driver_ != nullptr; }  // a thread does

  // Something has happened outside of a round, maybe what other threads wait for; the driver may be asleep.
  void moved() {
    release_driver();
    tell_followers();
  }
  void tell_followers() {
    if (followers_ > 0) changed_.notify_all();
  }

  // Waits until nobody drives any more: has_ended() turned true.
  void wait_for_driver(std::unique_lock<std::mutex>& lock);

  // Does something that may throw where the transport or the program's operators do; then all has broken.
  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      if (is_fork()) throw;  // made by an operator: this thread is all that there is of it
      broke(error);
    }
  }

  // Operations that nobody waits for yet: begun; ended; and given back by the program, which may be before they ended.
  void started() { ++started_; }
  void ended(RequestEnd& end) {
    --started_;
    ended_.add(end);
  }
  void forget(RequestEnd& end, bool goes_on) {
    if (goes_on) --started_;
    ended_.remove(end);
  }
  EndedRequests& ended_requests() { return ended_; }
  bool anything_started() const { return started_ > 0; }
  // What was started needs somebody who drives it, if this one does no longer.
  void rouse_progress_thread() {
    if (progress_thread_idle_ && anything_started()) something_started_.notify_one();
  }

  // The progress thread's work, until it is told to end. Both without the mutex.
  void drive_what_was_started();
  void end_progress_thread();

 private:
  bool round(Pid expected);
  void drive(std::unique_lock<std::mutex>& lock, Wait& wait);
  void sleep(std::unique_lock<std::mutex>& lock);
  void let_others_in(std::unique_lock<std::mutex>& lock);
  void drive_alone(std::unique_lock<std::mutex>& lock);
  template <class Work>
  void guard(std::unique_lock<std::mutex>& lock, const Work& work);
  void broke(const std::exception& error) {
    reserve_.reset();
    driven_.broke(error);
  }
  void release_driver() {
    if (driver_ != nullptr && driver_->over()) driven_.wake();  // it may be asleep
  }

  Driven& driven_;
  Waits waits_;
  Idling idling_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Wait* driver_ = nullptr;  // of the thread that is in charge
  int followers_ = 0;       // threads that wait for the driver
  std::atomic<int> entering_ = 0;
  unsigned rounds_ = 0;

  std::size_t started_ = 0;
  EndedRequests ended_;
  unsigned calls_to_pass_ = 0;  // before one looks whether it is time to drive
  Nanoseconds drove_in_passing_at_{0};

  std::condition_variable something_started_;
  bool progress_thread_idle_ = false;  // it waits for something to be started
  bool progress_thread_ends_ = false;

  // Given back when all has broken: to end everything and to say why takes memory, of which there may be none left.
  static constexpr std::size_t reserve_bytes = 64 << 10;
  std::unique_ptr<std::byte[]> reserve_ = std::make_unique_for_overwrite<std::byte[]>(reserve_bytes);
};

}  // namespace cohort::detail
