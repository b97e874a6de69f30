// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "launcher/printable.hpp"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

namespace wire = process::v1;

constexpr int most_named = 8;
constexpr std::size_t most_text = 16 << 10;  // bytes: a process that has gone mad may name a long call again and again

// "rank 5", "ranks 1, 2 and 9": each rank once, with its pid if that differs.
std::string ranks_of(std::vector<wire::Awaited> awaited) {
  std::ranges::sort(awaited, {}, &wire::Awaited::rank);
  const auto same = [](const auto& one, const auto& other) { return one.pid() == other.pid(); };
  awaited.erase(std::unique(awaited.begin(), awaited.end(), same), awaited.end());
  std::string text = awaited.size() == 1 ? "rank " : "ranks ";
  const std::size_t named = std::min<std::size_t>(awaited.size(), most_named);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == awaited.size() ? " and " : ", ";
    text += std::to_string(awaited[i].rank());
    if (awaited[i].rank() != awaited[i].pid()) text += fmt::format(" (pid {})", awaited[i].pid());
  }
  if (named < awaited.size()) text += fmt::format(" and {} more", awaited.size() - named);
  return text;
}

// "combine #88 of group (3,0) as rank 2"
std::string name_of(Pid pid, const wire::Call& call) {
  std::string text = call.operation();
  if (call.number() > 0) text += fmt::format(" #{}", call.number());
  text += fmt::format(" of group {}", to_string(read(call.group())));
  if (call.rank() != pid) text += fmt::format(" as rank {}", call.rank());
  if (call.tag() != 0) text += fmt::format(" with tag {}", call.tag());
  return text;
}

// "waits for rank 5: round 3 of circulant". Messages that a collective sends are named only if it awaits none.
std::string awaited_by(const wire::Call& call) {
  std::vector<wire::Awaited> from, to;
  for (const wire::Awaited& awaited : call.awaited()) (awaited.out() ? to : from).push_back(awaited);
  std::string text;
  if (!from.empty()) text = (call.any() ? "waits for any of " : "waits for ") + ranks_of(from);
  if (!to.empty() && (from.empty() || call.number() == 0)) {
    text += (text.empty() ? "waits for " : " and for ") + ranks_of(to) + " to receive";
  }
  if (!text.empty() && !call.algorithm().empty()) {
    text += fmt::format(": round {} of {}", call.round() + 1, call.algorithm());
  }
  return text;
}

std::string describe(Pid pid, const wire::Call& call, const std::string& time) {
  const std::string waits = awaited_by(call);
  return name_of(pid, call) + time + (waits.empty() ? "" : ", " + waits) + " (" + on_one_line(call.where()) + ")";
}

std::string describe(Pid pid, const wire::Doing& doing, const wire::Wait& wait) {
  const std::string time = in_words(wait.seconds());
  if (wait.calls().empty()) {
    const bool leaves = wait.what().empty();
    return (leaves ? "leaving the job" : "in " + wait.what()) + " for " + time + ", waits for the others to " +
           (leaves ? "leave" : "call it");
  }
  const auto call = [&](std::uint32_t place) -> const wire::Call& { return doing.calls(static_cast<int>(place)); };
  if (wait.calls_size() == 1) return "in " + describe(pid, call(wait.calls(0)), " for " + time);
  std::string text = "waits for " + time + " for any of: ";
  int named = 0;
  for (const std::uint32_t place : wait.calls()) {
    if (named++ == most_named) return text + fmt::format(" | and {} more", wait.calls_size() - most_named);
    if (named > 1) text += " | ";
    text += describe(pid, call(place), "");
  }
  return text;
}

}  // namespace

std::string in_words(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 600) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

bool makes_sense(const wire::Doing& doing, Rank ranks) {
  const auto known = [ranks](const wire::Awaited& awaited) { return awaited.pid() >= 0 && awaited.pid() < ranks; };
  const auto listed = [&](std::uint32_t place) { return place < static_cast<std::uint32_t>(doing.calls_size()); };
  return std::ranges::all_of(doing.calls(),
                             [&](const auto& call) { return std::ranges::all_of(call.awaited(), known); }) &&
         std::ranges::all_of(doing.waits(),
                             [&](const auto& wait) { return std::ranges::all_of(wait.calls(), listed); });
}

std::string describe(Pid pid, const wire::Doing& doing) {
  if (doing.stopped()) return "is stopped, by a signal or a debugger";
  std::string text;
  for (int named = 0; named < doing.waits_size(); ++named) {
    if (text.size() > most_text) return text + fmt::format("; and {} waits more", doing.waits_size() - named);
    text += (text.empty() ? "" : "; ") + describe(pid, doing, doing.waits(named));
  }
  if (!text.empty()) return text;
  return (doing.left() ? "has left the job, and is busy for " : "not in the library for ") + in_words(doing.away());
}

}  // namespace cohort
