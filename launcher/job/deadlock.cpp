// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace cohort {

namespace {

namespace wire = process::v1;

// The same collective call, at any member.
using CallName = std::tuple<std::uint32_t, Pid, std::uint64_t, std::uint64_t>;

CallName name_of(const wire::Call& call) {
  return {call.group().counter(), call.group().pid(), call.group().derivation(), call.number()};
}

class Graph {
 public:
  Graph(const Inquiry::Answers& answers, const Survivors& survivors)
      : answers_(answers), survivors_(survivors), alive_(answers.size()) {
    for (std::size_t pid = 0; pid < answers.size(); ++pid) {
      const auto& doing = answers[pid];
      alive_[pid] = !doing || doing->partial() || doing->stopped() ||
                    doing->threads() != static_cast<std::uint32_t>(doing->waits_size());
      if (!doing) continue;
      for (const wire::Call& call : doing->calls()) {
        if (call.number() > 0) calls_[{static_cast<Pid>(pid), name_of(call)}] = &call;
      }
    }
    while (spread()) {
    }
  }

  bool alive(std::size_t pid) const { return alive_[pid]; }

 private:
  // One step of the fixed point. Returns whether anything has come alive.
  bool spread() {
    bool spread = false;
    for (const auto& [name, call] : calls_) {
      const auto passes = [this, call = call](const wire::Awaited& awaited) { return can_pass(*call, awaited); };
      const bool moves = call->partial() || call->awaited().empty() || alive_[static_cast<std::size_t>(name.first)] ||
                         std::ranges::any_of(call->awaited(), passes);
      if (moves) spread |= moving_.insert(call).second;
    }
    for (std::size_t pid = 0; pid < alive_.size(); ++pid) {
      if (alive_[pid]) continue;
      const wire::Doing& doing = *answers_[pid];
      const bool goes_on = std::ranges::any_of(
          doing.waits(), [&](const wire::Wait& wait) { return can_end(static_cast<Pid>(pid), wait); });
      if (goes_on) spread = alive_[pid] = true;
    }
    return spread;
  }

  bool can_end(Pid pid, const wire::Wait& wait) const {
    if (wait.calls().empty()) return !wait.what().empty() && can_be_answered(pid);
    const wire::Doing& doing = *answers_[static_cast<std::size_t>(pid)];
    return wait.partial() || std::ranges::any_of(wait.calls(), [&](std::uint32_t place) {
             const wire::Call& call = doing.calls(static_cast<int>(place));
             const auto passes = [&](const wire::Awaited& awaited) { return can_pass(call, awaited); };
             return call.any() ? call.partial() || std::ranges::any_of(call.awaited(), passes)
                               : std::ranges::all_of(call.awaited(), passes);
           });
  }

  // Whether the members that have not yet asked for the survivors may still ask, so that `pid` gets its answer.
  bool can_be_answered(Pid pid) const {
    const std::vector<std::set<Pid>> missing = survivors_.missing_for(pid);
    const auto lives = [&](Pid other) { return alive_.at(static_cast<std::size_t>(other)); };
    return missing.empty() ||
           std::ranges::any_of(missing, [&](const auto& pids) { return std::ranges::all_of(pids, lives); });
  }

  bool can_pass(const wire::Call& call, const wire::Awaited& awaited) const {
    if (!awaited.standing() || alive_.at(static_cast<std::size_t>(awaited.pid()))) return true;
    const auto there = call.number() > 0 ? calls_.find({awaited.pid(), name_of(call)}) : calls_.end();
    return there != calls_.end() && moving_.contains(there->second);
  }

  const Inquiry::Answers& answers_;
  const Survivors& survivors_;
  std::vector<bool> alive_;  // by pid
  std::map<std::pair<Pid, CallName>, const wire::Call*> calls_;
  std::set<const wire::Call*> moving_;
};

bool leaves(const wire::Doing& doing) {
  return std::ranges::all_of(doing.waits(),
                             [](const auto& wait) { return wait.calls().empty() && wait.what().empty(); });
}

using Frames = std::map<Pid, std::pair<std::uint64_t, std::uint64_t>>;  // sent, received

Frames frames_of(const wire::Doing& doing) {
  Frames frames;
  for (const wire::Traffic& traffic : doing.traffic()) frames[traffic.pid()] = {traffic.sent(), traffic.received()};
  return frames;
}

}  // namespace

std::set<Pid> deadlocked(const Inquiry::Answers& answers, const Survivors& survivors) {
  const Graph graph(answers, survivors);
  std::set<Pid> found;
  bool in_vain = false;
  for (std::size_t pid = 0; pid < answers.size(); ++pid) {
    if (graph.alive(pid)) continue;
    found.insert(static_cast<Pid>(pid));
    in_vain = in_vain || !leaves(*answers[pid]);
  }
  return in_vain ? found : std::set<Pid>{};
}

bool at_rest(const std::set<Pid>& processes, const Inquiry::Answers& before, const Inquiry::Answers& after) {
  std::map<Pid, Frames> frames;
  for (const Pid pid : processes) {
    const auto& first = before[static_cast<std::size_t>(pid)];
    const auto& second = after[static_cast<std::size_t>(pid)];
    if (!first || !second || first->entries() != second->entries()) return false;
    frames[pid] = frames_of(*second);
    if (frames[pid] != frames_of(*first)) return false;
  }
  return std::ranges::all_of(processes, [&](Pid from) {
    return std::ranges::all_of(processes, [&](Pid to) { return frames[from][to].first == frames[to][from].second; });
  });
}

std::string sentence_of(const std::set<Pid>& processes) {
  constexpr std::size_t most_named = 8;
  std::string text;
  std::size_t named = 0;
  for (const Pid pid : processes) {
    if (named++ == most_named) {
      text += fmt::format(" and {} more", processes.size() - most_named);
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(pid);
  }
  return fmt::format("deadlock: {} {} of the job wait{} for ever", processes.size() == 1 ? "rank" : "ranks", text,
                     processes.size() == 1 ? "s" : " for one another");
}

}  // namespace cohort
