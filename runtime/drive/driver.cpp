// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/driver.hpp"

#include <thread>

#include "runtime/transport/transport.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr unsigned rounds_between_looks = 256;

// A program that called the library within this time will soon call it again, and drives progress itself. Taking turns
// with it at each of its calls costs more than it gains.
constexpr Nanoseconds soon = 50us;

}  // namespace

bool Driver::round(Pid expected) {
  const bool moved = driven_.move(expected);
  if (++rounds_ % rounds_between_looks == 0) driven_.look_around();
  if (moved) tell_followers();
  return moved;
}

void Driver::sleep(std::unique_lock<std::mutex>& lock) {
  const Nanoseconds limit = driven_.before_pause();
  if (driver_->over()) return;
  const Nanoseconds start = driven_.now();
  if (driver_->since == 0ns) driver_->since = start;
  lock.unlock();
  driven_.sleep(limit);
  idling_.slept();
  lock.lock();
  driven_.after_sleep(*driver_, start, limit);
  driven_.look_around();
  tell_followers();  // one of them may wait for all to leave
}

// The work may have released the mutex when it throws.
template <class Work>
void Driver::guard(std::unique_lock<std::mutex>& lock, const Work& work) {
  guard([&] {
    try {
      work();
    } catch (...) {
      if (!is_fork() && !lock.owns_lock()) lock.lock();
      throw;
    }
  });
}

void Driver::wait(std::unique_lock<std::mutex>& lock, Wait& wait) {
  if (wait.over()) return in_passing();
  waits_.begin(wait);
  while (!wait.over()) {
    if (driver_ != nullptr || driven_.has_ended()) {  // a thread that leaves ends everything
      if (wait.since == 0ns) wait.since = driven_.now();
      ++followers_;
      release_driver();  // the progress thread gives way
      changed_.wait(lock);
      --followers_;
      continue;
    }
    driver_ = &wait;
    guard(lock, [&] { drive(lock, wait); });
    driver_ = nullptr;
    tell_followers();
  }
  waits_.end(wait);
  driven_.before_pause();
  rouse_progress_thread();
}

// The driver holds the mutex while it is awake, and would get it back at once. So it gives arriving threads some time
// to take the mutex.
void Driver::let_others_in(std::unique_lock<std::mutex>& lock) {
  if (followers_ == 0 && entering_.load(std::memory_order_relaxed) == 0) return;
  lock.unlock();
  std::this_thread::yield();
  for (int i = 0; i < 100 && entering_.load(std::memory_order_relaxed) > 0; ++i) std::this_thread::yield();
  lock.lock();
}

void Driver::drive(std::unique_lock<std::mutex>& lock, Wait& wait) {
  for (; !wait.over() && !driven_.has_ended(); let_others_in(lock)) {
    if (round(wait.expected())) {
      idling_.moved();
      continue;
    }
    if (driven_.soon()) {
      idling_.stays();
    } else if (!idling_.looks_again()) {
      sleep(lock);
    }
  }
}

bool Driver::once() {
  if (driver_ != nullptr) return false;
  return round(-1);
}

// Looking at all sockets takes about a microsecond, and data that are read early are read in more pieces. So calls that
// follow one another closely drive once in a millisecond: in that time a network brings no more than the system can
// buffer. Calls further apart drive each time.
void Driver::in_passing() {
  constexpr Nanoseconds often_enough = 1ms;
  constexpr unsigned calls_between_clocks = 8;  // reading the clock takes a tenth of a short call
  if (started_ == 0 || driver_ != nullptr) return;
  if (calls_to_pass_ > 0) {
    --calls_to_pass_;
    return;
  }
  if (driven_.has_ended()) return;
  const Nanoseconds now = driven_.now();
  const bool too_soon = now - drove_in_passing_at_ < often_enough;
  calls_to_pass_ = too_soon ? calls_between_clocks : 0;
  if (too_soon) return;
  drove_in_passing_at_ = now;
  guard([&] { round(Transport::in_passing); });
}

void Driver::wait_for_driver(std::unique_lock<std::mutex>& lock) {
  driven_.wake();
  while (driver_ != nullptr) {
    ++followers_;
    changed_.wait(lock);
    --followers_;
  }
}

void Driver::end_progress_thread() {
  const std::lock_guard lock(mutex_);
  progress_thread_ends_ = true;
  something_started_.notify_one();
  release_driver();
}

void Driver::drive_what_was_started() {
  std::unique_lock lock(mutex_);
  while (!progress_thread_ends_) {
    if (driven_.has_ended() || driver_ != nullptr || !anything_started()) {
      progress_thread_idle_ = true;
      something_started_.wait(lock);
      progress_thread_idle_ = false;
      continue;
    }
    const std::uint64_t entries = waits_.entries();
    something_started_.wait_for(lock, soon);
    if (waits_.entries() == entries && driver_ == nullptr) drive_alone(lock);
  }
}

// Drives until a thread of the program drives again. It sleeps instead of spinning, because the cores are for the
// program.
void Driver::drive_alone(std::unique_lock<std::mutex>& lock) {
  const std::function<bool()> over = [this] {
    return followers_ > 0 || driven_.has_ended() || progress_thread_ends_ || !anything_started();
  };
  WaitUntil turn(over);
  driver_ = &turn;
  guard(lock, [&] {
    for (; !turn.over(); let_others_in(lock)) {
      if (!round(-1)) sleep(lock);
    }
  });
  driver_ = nullptr;
  tell_followers();
}

}  // namespace cohort::detail
