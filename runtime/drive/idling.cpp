// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/idling.hpp"

#include <algorithm>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr unsigned looks_between_yields = 32;  // the awaited process may have been woken on the same core

constexpr unsigned most_first_looks = 200;  // about a microsecond: what comes later is worth the steps of a wait

// How long to look again, and the usual length of waits from which looking is hopeless. That length is well above the
// waits of processes that all sleep: otherwise all would go on sleeping because all sleep.
constexpr Nanoseconds worth_alone = 50us;  // a few sleeps and wake-ups take this long
constexpr Nanoseconds hopeless_alone = 100us;
constexpr Nanoseconds worth_in_turn = 200us;  // each look lets the other processes on the core look
constexpr Nanoseconds hopeless_in_turn = 300us;

// The length that a longer wait counts as. Alone, one long wait among short ones changes nothing. In turn, it ends the
// looking for the next few waits: a process that looks in vain takes time from those that share its core.
constexpr Nanoseconds longest_alone = 2 * hopeless_alone;
constexpr Nanoseconds longest_in_turn = 4ms;

}  // namespace

Idling::Idling(int cores, bool crowded, Pid me)
    : crowded_(crowded), hasty_(cores < 1), hopeless_(crowded_ ? hopeless_in_turn : hopeless_alone), own_core_(me) {}

unsigned Idling::first_looks() const { return crowded_ || hasty_ || usual_ > hopeless_ ? 1 : most_first_looks; }

bool Idling::looks_again() {
  ++looks_;
  if (usual_ > hopeless_ || hasty_) {
    latest_ = steady_now();
    if (start_ == Nanoseconds{0}) start_ = latest_;
    return false;
  }
  if (!crowded_ && looks_ % looks_between_yields != 0) return true;
  const Yield yield = crowded_ ? yield_core() : own_core_.yield();
  latest_ = yield.end;
  if (start_ == Nanoseconds{0}) start_ = latest_;
  if (crowded_ && yield.others_ran) in_turn_ = true;
  return latest_ - start_ < (in_turn_ ? worth_in_turn : worth_alone);
}

void Idling::stays() {
  if (++stays_ % looks_between_yields == 0) own_core_.yield();
}

void Idling::note_wait() {
  const Nanoseconds longest = crowded_ ? longest_in_turn : longest_alone;
  usual_ += (std::min(latest_ - start_, longest) - usual_) / 4;
  looks_ = 0;
  in_turn_ = false;
  start_ = latest_ = Nanoseconds{0};
}

}  // namespace cohort
