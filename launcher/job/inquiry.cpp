// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/inquiry.hpp"

#include <utility>

namespace cohort {

void Inquiry::begin(std::uint64_t question, std::set<Pid> asked, Attended limit, Attended now) {
  question_ = question;
  missing_ = std::move(asked);
  deadline_ = Deadline::after(limit, now);
  answers_.assign(answers_.size(), std::nullopt);
}

void Inquiry::answered(Pid pid, process::v1::Doing&& doing) {
  if (!running() || doing.question() != question_) return;
  answers_.at(static_cast<std::size_t>(pid)) = std::move(doing);
  missing_.erase(pid);
}

void Inquiry::time_up(Attended now) {
  if (deadline_ && deadline_->passed(now)) missing_.clear();
}

bool Inquiry::take_over() {
  if (!running() || !missing_.empty()) return false;
  deadline_.reset();
  return true;
}

}  // namespace cohort
