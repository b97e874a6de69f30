// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/phases.hpp"

#include <utility>

namespace cohort {

bool Phases::move(Phase from, Phase to) {
  if (phase_ != from) return false;
  phase_ = to;
  return true;
}

bool Phases::end(EndedBy reason) {
  if (reason_ || phase_ == Phase::done) return false;
  reason_ = reason;
  if (phase_ == Phase::connecting) {
    phase_ = Phase::done;
  } else if (phase_ < Phase::ending) {
    phase_ = Phase::ending;
  }
  return true;
}

std::optional<Pid> Phases::culprit() const {
  const auto* const failure = reason_ ? std::get_if<ended_by::Failure>(&*reason_) : nullptr;
  return failure == nullptr ? std::nullopt : failure->culprit;
}

bool Phases::drain() {
  if (!has_processes() || over()) return false;
  phase_ = Phase::draining;
  return true;
}

bool Phases::finish() { return std::exchange(phase_, Phase::done) != Phase::done; }

Phases::Interruption Phases::interrupted(int signal, bool has_lost_processes) {
  const bool again = std::exchange(interrupted_, true);
  if (end(ended_by::Interrupt{signal})) return Interruption::ends;
  return again || has_lost_processes ? Interruption::kills : Interruption::waits;
}

}  // namespace cohort
