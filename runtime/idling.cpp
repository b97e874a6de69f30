#include "runtime/idling.hpp"

#include <algorithm>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr unsigned looks_between_yields = 32;  // the awaited process may have been woken on this very core
constexpr Nanoseconds longest_noted = 4ms;     // so that one long wait is soon forgotten

// How long to look, and how long waits must usually be for it to be hopeless: well above what they take when all sleep,
// or all would go on sleeping because all sleep.
constexpr Nanoseconds worth_alone = 50us;  // what a few sleeps and wake-ups take
constexpr Nanoseconds hopeless_alone = 100us;
constexpr Nanoseconds worth_in_turn = 200us;  // where each look of a process lets all others have theirs
constexpr Nanoseconds hopeless_in_turn = 1ms;

}  // namespace

Idling::Idling(int processes, int cores, Pid me)
    : crowded_(processes > cores),
      worth_(cores < 1  ? 0us
             : crowded_ ? worth_in_turn
                        : worth_alone),
      hopeless_(crowded_ ? hopeless_in_turn : hopeless_alone),
      own_core_(me) {}

bool Idling::looks_again() {
  ++looks_;
  if (usual_ > hopeless_ || worth_ == Nanoseconds{0}) {
    if (start_ == Nanoseconds{0}) start_ = steady_now();
    return false;
  }
  if (!crowded_ && looks_ % looks_between_yields != 0) return true;
  const Nanoseconds now = crowded_ ? yield_core() : own_core_.yield();
  if (start_ == Nanoseconds{0}) start_ = now;
  return now - start_ < worth_;
}

void Idling::note_wait() {
  const Nanoseconds waited = start_ == Nanoseconds{0} ? start_ : std::min(steady_now() - start_, longest_noted);
  usual_ += (waited - usual_) / 4;
  looks_ = 0;
  start_ = Nanoseconds{0};
}

}  // namespace cohort
