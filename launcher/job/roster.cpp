// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/roster.hpp"

#include <algorithm>
#include <utility>

#include "launcher/host/endings.hpp"

namespace cohort {

namespace {
constexpr const char* silent_cause = "exited with status 0 without joining the job, which the others have joined";
}

void Roster::started(Pid pid, std::int64_t process) { member(pid) = {process, Stage::started}; }

std::optional<Roster::Missing> Roster::joining(Pid pid) {
  ++joining_;
  member(pid).stage = Stage::joining;
  if (silent_) return Missing{*silent_, silent_cause};
  return std::nullopt;
}

bool Roster::joined(Pid pid) {
  if (member(pid).stage != Stage::joining) return false;
  member(pid).stage = Stage::joined;
  return ++joined_ == ranks();
}

bool Roster::left(Pid pid) {
  if (member(pid).stage != Stage::joined) return false;
  member(pid).stage = Stage::left;
  member(pid).left = true;
  if (!member(pid).lost) ++left_;
  return true;
}

bool Roster::lost(Pid pid) {
  if (std::exchange(member(pid).lost, true)) return false;
  --present_;
  if (member(pid).left) --left_;
  return true;
}

std::optional<std::string> Roster::ended(Pid pid, int wait_status) {
  const Stage before = std::exchange(member(pid).stage, Stage::ended);
  if (before == Stage::ended) return std::nullopt;
  ++ended_;
  const bool joins = before == Stage::joining || before == Stage::joined;
  if (wait_status != 0) {
    const bool outside = before == Stage::started && joining_ > 0;
    return describe_ending(wait_status) + (outside ? " before it joined the job" : "");
  }
  if (joins) return "exited with status 0 without leaving the job";
  if (before == Stage::left) return std::nullopt;
  if (joining_ > 0) return silent_cause;
  if (!silent_) silent_ = pid;
  return std::nullopt;
}

std::string Roster::list(std::initializer_list<Stage> stages) const {
  std::string text;
  int count = 0;
  const auto wanted = [&](Pid pid) { return std::find(stages.begin(), stages.end(), stage(pid)) != stages.end(); };
  for (Pid pid = 0; pid < ranks(); ++pid) {
    if (!wanted(pid)) continue;
    Pid last = pid;
    while (last + 1 < ranks() && wanted(last + 1)) ++last;
    if (count > 0) text += ", ";
    text += std::to_string(pid);
    if (last > pid) text += (last == pid + 1 ? ", " : "-") + std::to_string(last);
    count += last - pid + 1;
    pid = last;
  }
  return (count == 1 ? "rank " : "ranks ") + text;
}

}  // namespace cohort
