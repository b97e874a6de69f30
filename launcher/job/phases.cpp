// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/phases.hpp"

namespace cohort {

const Phases::Early* Phases::early_part() const {
  const auto of = [](const std::optional<Early>& early) { return early ? &*early : nullptr; };
  if (const auto* const ending = std::get_if<Ending>(&state_)) return &ending->early;
  if (const auto* const draining = std::get_if<Draining>(&state_)) return of(draining->early);
  if (const auto* const done = std::get_if<Done>(&state_)) return of(done->early);
  return nullptr;
}

std::optional<EndedBy> Phases::reason() const {
  const Early* const early = early_part();
  return early == nullptr ? std::nullopt : std::optional(early->reason);
}

std::optional<Pid> Phases::culprit() const {
  const Early* const early = early_part();
  const auto* const failure = early == nullptr ? nullptr : std::get_if<ended_by::Failure>(&early->reason);
  return failure == nullptr ? std::nullopt : failure->culprit;
}

bool Phases::end(EndedBy reason) {
  if (early() || now() == Phase::done) return false;
  if (now() == Phase::connecting) {
    state_ = Done{Early{reason}};
  } else if (auto* const draining = std::get_if<Draining>(&state_)) {
    draining->early = Early{reason};
  } else {
    state_ = Ending{{reason}};
  }
  return true;
}

bool Phases::drain() {
  if (!has_processes() || over()) return false;
  const Early* const early = early_part();
  state_ = Draining{early == nullptr ? std::nullopt : std::optional(*early)};
  return true;
}

bool Phases::finish() {
  if (now() == Phase::done) return false;
  const Early* const early = early_part();
  state_ = Done{early == nullptr ? std::nullopt : std::optional(*early)};
  return true;
}

Phases::Interruption Phases::interrupted(int signal, bool has_lost_processes) {
  const bool ends = end(ended_by::Interrupt{signal});
  Early* const early = early_part();
  const bool again = early != nullptr && std::exchange(early->interrupted, true);
  if (ends) return Interruption::ends;
  return again || has_lost_processes ? Interruption::kills : Interruption::waits;
}

}  // namespace cohort
