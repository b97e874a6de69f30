#include "runtime/progress_thread.hpp"

#include "runtime/own_thread.hpp"
#include "runtime/pending.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

ProgressThread::ProgressThread(Runtime& runtime)
    : runtime_(runtime), thread_(start_own_thread("cohort progress", [this] { runtime_.drive_what_was_started(); })) {}

ProgressThread::~ProgressThread() {
  runtime_.end_progress_thread();
  thread_.join();
}

namespace {

using namespace std::chrono_literals;

// A program that was in the library within this time will soon be there again, and drives by itself: to take turns with
// it at each of its calls costs more than it gains.
constexpr Nanoseconds soon = 50us;

}  // namespace

void Runtime::begin_alone(Pending& pending) {
  ++going_on_;
  pending.goes_on();
  begin(pending);
  pending.may_have_ended();
  if (progress_thread_) rouse_progress_thread();
  drive_in_passing();
}

void Runtime::rouse_progress_thread() {
  if (progress_thread_idle_ && anything_started()) something_started_.notify_one();
}

void Runtime::end_progress_thread() {
  const std::lock_guard lock(mutex_);
  progress_thread_ends_ = true;
  something_started_.notify_one();
  release_driver();
}

void Runtime::drive_what_was_started() {
  std::unique_lock lock(mutex_);
  while (!progress_thread_ends_) {
    if (left_ || driver_ != nullptr || !anything_started()) {
      progress_thread_idle_ = true;
      something_started_.wait(lock);
      progress_thread_idle_ = false;
      continue;
    }
    const std::uint64_t entries = entries_;
    something_started_.wait_for(lock, soon);
    if (entries_ == entries && driver_ == nullptr) drive_alone(lock);
  }
}

void Runtime::drive_alone(std::unique_lock<std::mutex>& lock) {
  const std::function<bool()> over = [this] {
    return followers_ > 0 || left_ || progress_thread_ends_ || !anything_started();
  };
  WaitUntil turn(over);
  driver_ = &turn;
  try {
    for (; !turn.over(); let_others_in(lock)) {
      if (!drive_once(-1)) sleep(lock);
    }
  } catch (const std::exception& error) {
    if (is_fork()) throw;  // made by an operator: this thread is all that there is of it
    if (!lock.owns_lock()) lock.lock();
    broke(error);
  }
  driver_ = nullptr;
  if (followers_ > 0) changed_.notify_all();
}

}  // namespace cohort::detail
