// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/redial.hpp"

#include <algorithm>
#include <utility>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds unlimited_patience = 10s;  // if no limit for silence is set
constexpr Nanoseconds refused_patience = 2s;     // the listener is open as long as the process lives
constexpr int least_attempts = 20;
constexpr Nanoseconds slow_attempt = 1500ms;  // the acceptor's limit is 2 s: then we are slow, and it lives
constexpr Nanoseconds first_pause = 10ms;
constexpr Nanoseconds longest_pause = 500ms;

}  // namespace

Redial::Redial(Nanoseconds silence_limit, Time now)
    : patience_(silence_limit > 0ns ? silence_limit : unlimited_patience),
      start_(now.attended),
      unreached_since_(now.attended),
      attempt_start_(now.real),
      next_pause_(first_pause) {}

void Redial::begin_again(Time now) {
  phase_ = Phase::connecting;
  attempt_start_ = now.real;
}

bool Redial::too_late(Time now) const {
  return phase_ == Phase::connecting && now.attended - unreached_since_ >= patience_;
}

std::optional<Nanoseconds> Redial::ended(Outcome outcome, Time now) {
  const bool was_reached = phase_ == Phase::greeting;
  phase_ = Phase::pausing;
  if (was_reached) unreached_since_ = now.attended;
  if (outcome != Outcome::duplicate && now.real - attempt_start_ < slow_attempt) ++attempts_;
  if (spent(outcome, was_reached, now)) return std::nullopt;
  const Nanoseconds pause = std::exchange(next_pause_, std::min(2 * next_pause_, longest_pause));
  return outcome == Outcome::duplicate ? longest_pause : pause;
}

bool Redial::spent(Outcome outcome, bool was_reached, Time now) const {
  if (outcome == Outcome::duplicate) return false;
  if (outcome == Outcome::refused) return hurried_ || lasted(now) >= refused_patience;
  if (!was_reached) return now.attended - unreached_since_ >= patience_;
  return lasted(now) >= patience_ && attempts_ >= least_attempts;
}

}  // namespace cohort
