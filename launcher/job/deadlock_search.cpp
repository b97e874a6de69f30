// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/deadlock_search.hpp"

#include <utility>

#include "launcher/job/deadlock.hpp"

namespace cohort {

namespace {
constexpr std::chrono::milliseconds search_limit(1'000);
constexpr std::chrono::milliseconds again_after(50);  // when a message was still on its way
}  // namespace

void DeadlockSearch::waits(Pid pid, const process::v1::Doing& doing) {
  said_.at(static_cast<std::size_t>(pid)) = doing;
  if (step_ == Step::idle) step_ = Step::wanted;
}

void DeadlockSearch::stop() {
  inquiry_.stop();
  again_.reset();
}

void DeadlockSearch::time_up(Attended now) {
  inquiry_.time_up(now);
  if (!again_ || !again_->passed(now)) return;
  again_.reset();
  if (step_ == Step::idle) step_ = Step::wanted;
}

bool DeadlockSearch::take_question(const Survivors& survivors) {
  if (step_ == Step::first && inquiry_.take_over()) {
    said_ = inquiry_.answers();
    step_ = deadlocked(said_, survivors).empty() ? Step::idle : Step::second;
    return step_ == Step::second;
  }
  if (step_ != Step::wanted) return false;
  step_ = deadlocked(said_, survivors).empty() ? Step::idle : Step::first;
  return step_ == Step::first;
}

void DeadlockSearch::asked(std::uint64_t question, std::set<Pid> processes, Attended now) {
  inquiry_.begin(question, std::move(processes), search_limit, now);
}

std::set<Pid> DeadlockSearch::take_found(const Survivors& survivors, Attended now) {
  if (step_ != Step::second || !inquiry_.take_over()) return {};
  step_ = Step::idle;
  const Inquiry::Answers before = std::exchange(said_, inquiry_.answers());
  std::set<Pid> found = deadlocked(said_, survivors);
  if (found.empty() || at_rest(found, before, said_)) return found;
  again_ = Deadline::after(again_after, now);
  return {};
}

}  // namespace cohort
