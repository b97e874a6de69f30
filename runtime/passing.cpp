// Calls that do not wait: what was started goes on in these, too.
#include "runtime/pending.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

using namespace std::chrono_literals;

void Runtime::progress(Pending* polled) {
  bool moved = false;
  {
    const Lock lock(*this);
    if (left_) return;
    try {
      const bool drives = driver_ == nullptr;  // otherwise another thread does
      if (drives) moved = drive_once(-1);
      if (!moved && polled != nullptr) look_as_if_waiting(*polled);
      if (drives) look_around();
    } catch (const std::exception& error) {
      if (is_fork()) throw;
      broke(error);
    }
    messenger_.dispatch();
  }
  if (!moved && job_.crowded)
    std::this_thread::yield();  // who asks again and again may keep the others from their part
}

// To look at all sockets takes about a microsecond, and what is read early is read in more pieces. So calls that follow
// one another drive once in a millisecond, in which a network brings no more than the system has room for; of those
// that take longer each one does.
void Runtime::drive_in_passing() {
  constexpr Nanoseconds often_enough = 1ms;
  constexpr unsigned calls_between_clocks = 8;  // to read the clock takes a tenth of a short call
  if (going_on_ == 0 || driver_ != nullptr || left_) return;
  if (calls_to_pass_ > 0) {
    --calls_to_pass_;
    return;
  }
  const Nanoseconds now = transport_->now();
  const bool too_soon = now - drove_in_passing_at_ < often_enough;
  calls_to_pass_ = too_soon ? calls_between_clocks : 0;
  if (too_soon) return;
  drove_in_passing_at_ = now;
  try {
    drive_once(Transport::in_passing);
  } catch (const std::exception& error) {
    if (is_fork()) throw;
    broke(error);
  }
  messenger_.dispatch();
}

}  // namespace cohort::detail
