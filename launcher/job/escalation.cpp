// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/escalation.hpp"

#include <csignal>
#include <utility>

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds at_once(0);
constexpr milliseconds until_killed(2'000);
constexpr milliseconds last_words(1'000);     // for the survivors of a failure to report their errors
constexpr milliseconds of_a_deadlock(300);    // for the processes to report where they wait
constexpr milliseconds after_request(5'000);  // from the user's signal to SIGKILL; a second signal kills at once
constexpr milliseconds give_up_after(10'000);

}  // namespace

std::deque<Escalation::Step> Escalation::steps_for(const EndedBy& reason) {
  if (std::holds_alternative<ended_by::NotStarted>(reason) || std::holds_alternative<ended_by::Unreachable>(reason)) {
    return {{at_once, SIGKILL}};
  }
  if (const auto* const interrupt = std::get_if<ended_by::Interrupt>(&reason)) {
    return {{at_once, interrupt->signal}, {after_request, SIGKILL}};
  }
  const milliseconds first = std::holds_alternative<ended_by::Failure>(reason)    ? last_words
                             : std::holds_alternative<ended_by::Deadlock>(reason) ? of_a_deadlock
                                                                                  : at_once;
  return {{first, SIGTERM}, {until_killed, SIGKILL}};
}

void Escalation::begin(const EndedBy& reason, Attended now) { begin(steps_for(reason), now); }

void Escalation::kill(Attended now) { begin({{at_once, SIGKILL}}, now); }

void Escalation::begin(std::deque<Step> steps, Attended now) {
  steps_ = std::move(steps);
  wait(now);
}

void Escalation::wait(Attended now) {
  deadline_ = Deadline::after(steps_.empty() ? give_up_after : steps_.front().delay, now);
}

Escalation::Due Escalation::due(Attended now) {
  Due due;
  while (deadline_ && deadline_->passed(now)) {
    if (steps_.empty()) {
      due.give_up = true;
      stop();
    } else {
      due.signals.push_back(steps_.front().signal);
      steps_.pop_front();
      has_signalled_ = true;
      wait(now);
    }
  }
  return due;
}

}  // namespace cohort
