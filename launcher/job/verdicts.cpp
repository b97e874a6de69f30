#include "launcher/job/verdicts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds verdict_time(400);  // for the death that broke a link to become known, and for more broken links
constexpr milliseconds ending_patience(3'000);  // for a process to end once it has closed its control link
constexpr milliseconds shell_patience(500);     // for a shell to end once the process that it has started has

}  // namespace

Verdicts::Verdicts(std::vector<int> host_of)
    : host_of_(std::move(host_of)),
      answered_(host_of_.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(host_of_)) + 1) {}

// The end of a process says more than its closed links; below a shell, the end of the process that had joined says
// more.
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
  if (roster.all_left()) accusations_.clear();  // they close their links, one before the other
  accusations_.forget([&](Pid pid) { return roster.is_lost(pid) || roster.stage(pid) == Roster::Stage::ended; });
  // A host that has not answered may be lost, or late with a death: then the link is not to blame. And the end of a
  // process says more than its broken links.
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
