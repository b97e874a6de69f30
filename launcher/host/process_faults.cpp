// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/process_faults.hpp"

#include <algorithm>
#include <csignal>

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr double period_s = 0.02;  // a slowed process runs for a share of each period
constexpr milliseconds first_pause(10);
constexpr milliseconds longest_pause(640);

Deadline after(double seconds, Attended now) { return Deadline::after(PlannedFault::later(now, seconds) - now, now); }

}  // namespace

std::optional<Deadline> ProcessFaults::Entry::deadline() const {
  if (const auto* const timed = std::get_if<Timed>(&state)) return timed->begin;
  if (const auto* const lasting = std::get_if<Lasting>(&state)) return lasting->end;
  if (const auto* const slowed = std::get_if<Slowed>(&state)) return earliest(slowed->turn, slowed->end);
  if (const auto* const waking = std::get_if<Waking>(&state)) return waking->again;
  return std::nullopt;
}

void ProcessFaults::Entry::begin(Attended now, Actions& actions) {
  const auto end = fault.for_s > 0 ? std::optional(after(fault.for_s, now)) : std::nullopt;
  if (fault.kind == FaultKind::slow) return slow(/*runs=*/false, end, now, actions);
  state = Quiet{};
  if (fault.kind == FaultKind::stop && end) state = Lasting{*end};
}

void ProcessFaults::Entry::slow(bool runs, std::optional<Deadline> end, Attended now, Actions& actions) {
  actions.push_back(Signal{fault.rank, runs ? SIGCONT : SIGSTOP});
  const double share = runs ? fault.amount : 1 - fault.amount;
  state = Slowed{runs, after(share * period_s, now), end};
}

// Sends SIGCONT several times, because a process that reported to stop itself may not have done so yet.
void ProcessFaults::Entry::wake(milliseconds pause, Attended now, Actions& actions) {
  actions.push_back(Signal{fault.rank, SIGCONT});
  state = Quiet{};
  if (pause <= longest_pause) state = Waking{pause, Deadline::after(pause, now)};
}

void ProcessFaults::Entry::due(Attended now, Actions& actions) {
  if (std::holds_alternative<Timed>(state)) {
    if (fault.kind == FaultKind::kill) actions.push_back(Signal{fault.rank, SIGKILL});
    if (fault.kind == FaultKind::stop) actions.push_back(Signal{fault.rank, SIGSTOP});
    actions.push_back(Happened{fault.rank, {fault.number, 1, fault.at_s}});
    begin(now, actions);
  } else if (const auto* const waking = std::get_if<Waking>(&state)) {
    wake(2 * waking->pause, now, actions);
  } else if (const auto* const slowed = std::get_if<Slowed>(&state);
             slowed && !(slowed->end && slowed->end->passed(now))) {
    slow(!slowed->runs, slowed->end, now, actions);
  } else {
    wake(first_pause, now, actions);
  }
}

void ProcessFaults::add(const FaultPlan& plan, const std::function<bool(Pid)>& runs_here, Attended now) {
  for (const PlannedFault& fault : plan.faults) {
    if (!fault.of_process() || !runs_here(fault.rank)) continue;
    Entry& entry = entries_.emplace_back(Entry{fault, Quiet{}});
    if (fault.trigger == FaultTrigger::time) entry.state = Timed{after(fault.at_s, now)};
  }
}

ProcessFaults::Actions ProcessFaults::begun_by_itself(std::uint32_t number, Attended now) {
  Actions actions;
  for (Entry& entry : entries_) {
    if (entry.fault.number == number && entry.fault.trigger != FaultTrigger::time) entry.begin(now, actions);
  }
  return actions;
}

void ProcessFaults::ended(Pid pid) {
  std::erase_if(entries_, [pid](const Entry& entry) { return entry.fault.rank == pid; });
}

std::optional<Deadline> ProcessFaults::deadline() const {
  std::optional<Deadline> next;
  for (const Entry& entry : entries_) next = earliest(next, entry.deadline());
  return next;
}

ProcessFaults::Actions ProcessFaults::due(Attended now) {
  Actions actions;
  for (Entry& entry : entries_) {
    const std::optional<Deadline> deadline = entry.deadline();
    if (deadline && deadline->passed(now)) entry.due(now, actions);
  }
  return actions;
}

}  // namespace cohort
