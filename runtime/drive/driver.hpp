// SPDX-License-Identifier: Apache-2.0
// Decides which thread drives progress.
//
// Any thread may call. The process's state is under one mutex. Of the waiting threads, one at a time drives; it
// releases the mutex while it sleeps. The others follow. Started operations that no thread waits for make progress in
// calls that have nothing to wait for, and by the progress thread, if the job has one.
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

// The interface of the driven state. All functions need the mutex, except sleep().
class Driven {
 public:
  // One round of progress, without waiting. Returns whether anything has happened. `expected` as for Transport::poll().
  virtual bool move(Pid expected) = 0;
  virtual bool soon() = 0;         // as Carrier::soon()
  virtual void look_around() = 0;  // now and then: at events that no message reports

  // Called before a pause without a driver: the driver is about to sleep, or its thread returns to the program. Returns
  // the longest time to sleep.
  virtual Nanoseconds before_pause() = 0;
  virtual void sleep(Nanoseconds limit) = 0;
  // The driver has slept since `since`.
  virtual void after_sleep(const Wait& wait, Nanoseconds since, Nanoseconds limit) = 0;
  virtual void wake() = 0;  // ends a sleep

  virtual Nanoseconds now() = 0;
  virtual bool has_ended() const = 0;  // the process has left: every wait is over
  virtual void broke(const std::exception& error) = 0;

 protected:
  ~Driven() = default;
};

class Driver {
 public:
  Driver(Driven& driven, const Idling& idling) : driven_(driven), idling_(idling) {}
  Driver(const Driver&) = delete;

  // Locks the mutex. A spinning driver lets threads in that wait for the mutex. `before` is called if the thread has to
  // wait.
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

  // The remaining functions need the mutex.

  Waits& waits() { return waits_; }
  const Waits& waits() const { return waits_; }

  // Drives, or follows the driving thread, until the wait is over.
  void wait(std::unique_lock<std::mutex>& lock, Wait& wait);

  // One round of progress, without waiting, unless another thread drives. Returns whether anything has happened.
  bool once();

  // For calls that have nothing to wait for: started operations make progress in these, too.
  void in_passing();

  // How often the calling thread may look for a message itself before it waits: not at all while another one drives.
  unsigned first_looks() const { return driver_ == nullptr ? idling_.first_looks() : 0; }
  void met_soon() { idling_.met_soon(); }

  bool drives() const { return driver_ != nullptr; }  // whether a thread drives

  // Something has happened outside of a round that other threads may wait for. Wakes the driver if it sleeps and its
  // wait is over.
  void moved() {
    release_driver();
    tell_followers();
  }
  void tell_followers() {
    if (followers_ > 0) changed_.notify_all();
  }

  // Waits until no thread drives. Called after has_ended() has become true.
  void wait_for_driver(std::unique_lock<std::mutex>& lock);

  // Does work that may throw, in the transport or in the program's operators. If it throws, the whole runtime has
  // broken.
  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      if (is_fork()) throw;  // an operator has forked: the child has no thread but this one
      broke(error);
    }
  }

  // Counts operations that no thread waits for yet: they have begun, they have ended, or the program has returned them,
  // maybe before they ended.
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
  // Started operations need a driver after the calling thread has stopped driving.
  void rouse_progress_thread() {
    if (progress_thread_idle_ && anything_started()) something_started_.notify_one();
  }

  // The progress thread's work, until end_progress_thread(). Both without the mutex.
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
    if (driver_ != nullptr && driver_->over()) driven_.wake();  // the driver may be asleep
  }

  Driven& driven_;
  Waits waits_;
  Idling idling_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Wait* driver_ = nullptr;  // of the thread that drives
  int followers_ = 0;       // threads that wait for the driver
  std::atomic<int> entering_ = 0;
  unsigned rounds_ = 0;

  std::size_t started_ = 0;
  EndedRequests ended_;
  unsigned calls_to_pass_ = 0;  // before a call looks whether it is time to drive
  Nanoseconds drove_in_passing_at_{0};

  std::condition_variable something_started_;
  bool progress_thread_idle_ = false;  // it waits for an operation to be started
  bool progress_thread_ends_ = false;

  // Released when the runtime has broken: ending everything and reporting why takes memory, and none may be left.
  static constexpr std::size_t reserve_bytes = 64 << 10;
  std::unique_ptr<std::byte[]> reserve_ = std::make_unique_for_overwrite<std::byte[]>(reserve_bytes);
};

}  // namespace cohort::detail
