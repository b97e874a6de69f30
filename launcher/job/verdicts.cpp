// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/verdicts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds verdict_time(400);       // for reports of the death behind a broken link, and of more links
constexpr milliseconds ending_patience(3'000);  // for a process to end after it has closed its control link
constexpr milliseconds shell_patience(500);     // for a shell to end after the process that it started

}  // namespace

Verdicts::Verdicts(std::vector<int> host_of)
    : host_of_(std::move(host_of)),
      answered_(host_of_.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(host_of_)) + 1) {}

// A process that closed its control link may still end, and its end explains more. If it ran below a shell, the report
// of its own end replaces an earlier report of the closed link.
void Verdicts::closes(const Closing& closing, Attended now) {
  const auto [open, first] = closings_.try_emplace(closing.pid);
  if (!first && !closing.ended) return;
  open->second = {closing, Deadline::after(closing.ended ? shell_patience : ending_patience, now)};
}

void Verdicts::suspects(Pid by, Pid of, std::string cause, Attended now) {
  if (accusations_.empty()) verdict_ = Deadline::after(verdict_time, now);
  accusations_.accuse(by, of, std::move(cause));
}

void Verdicts::answered(int host, std::uint32_t question) { answered_.at(static_cast<std::size_t>(host)) = question; }

std::optional<Deadline> Verdicts::deadline() const {
  std::optional<Deadline> next = verdict_;
  for (const auto& [pid, open] : closings_) next = earliest(next, open.deadline);
  return next;
}

std::optional<Closing> Verdicts::take_closing(Attended now) {
  for (auto& [pid, open] : closings_) {
    if (!open.deadline || !open.deadline->passed(now)) continue;
    open.deadline.reset();
    return open.closing;
  }
  return std::nullopt;
}

bool Verdicts::take_time_up(Attended now) {
  if (!verdict_ || !verdict_->passed(now)) return false;
  verdict_.reset();
  if (accusations_.empty()) return false;
  verdict_ = Deadline::after(verdict_time, now);
  return true;
}

std::optional<Accusation> Verdicts::judge(const Roster& roster, bool patient) {
  if (roster.all_left()) accusations_.clear();  // processes that have left close their links one after the other
  accusations_.forget([&](Pid pid) { return roster.is_lost(pid) || roster.stage(pid) == Roster::Stage::ended; });
  // An accusation is open while one of its processes has a closing without a verdict: its end would explain the link.
  // A host that has not answered may be lost, or may report a death late: both would explain the link too.
  const auto is_open = [&](const Accusation& one) {
    return std::ranges::any_of(std::array{one.by, one.of}, [&](Pid pid) {
      const int host = host_of_.at(static_cast<std::size_t>(pid));
      const bool silent = patient && answered_.at(static_cast<std::size_t>(host)) < one.question;
      const auto closing = closings_.find(pid);
      return silent || (closing != closings_.end() && closing->second.deadline);
    });
  };
  return accusations_.judge(is_open);
}

void Verdicts::stop() {
  accusations_.clear();
  verdict_.reset();
  for (auto& [pid, open] : closings_) open.deadline.reset();
}

}  // namespace cohort
