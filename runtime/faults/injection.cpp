// SPDX-License-Identifier: Apache-2.0
#include "runtime/faults/injection.hpp"

#include <algorithm>
#include <utility>

namespace cohort {
namespace {

bool happens_once(const PlannedFault& fault) {
  return fault.trigger != FaultTrigger::chance && (fault.kind == FaultKind::reset || fault.kind == FaultKind::corrupt);
}

}  // namespace

Injection::Injection(Pid me, Strike strike, Tell tell) : me_(me), strike_(std::move(strike)), tell_(std::move(tell)) {}

bool Injection::concerns(const PlannedFault& fault, Pid me) {
  if (fault.of_process()) return fault.rank == me && fault.trigger != FaultTrigger::time;
  return fault.from < 0 || fault.from == me;
}

void Injection::add(const PlannedFault& fault, std::uint64_t seed, Nanoseconds now) {
  Entry& entry = entries_.emplace_back();
  entry.fault = fault;
  entry.seed = seed;
  entry.added = now;
}

void Injection::called(Operation operation, Nanoseconds now) {
  for (Entry& entry : entries_) {
    if (entry.fault.operation && *entry.fault.operation != operation) continue;
    if (entry.fault.trigger == FaultTrigger::call && counted(entry, 1)) {
      begin(entry, now);
      if (entry.fault.of_process()) strike(entry, now);
    } else if (entry.fault.of_process() && entry.fault.trigger == FaultTrigger::chance && drawn(entry, me_)) {
      strike(entry, now);
    }
  }
}

Injection::Fate Injection::send(Pid to, std::size_t bytes, bool connected, Nanoseconds now) {
  Fate fate{.due = now};
  for (Entry& entry : entries_) {
    if (entry.fault.of_process()) {
      if (entry.fault.trigger == FaultTrigger::byte && counted(entry, bytes)) strike(entry, now);
    } else if (concerns(entry, to) && acts(entry, to, bytes, now)) {
      apply(entry, to, bytes, connected, now, fate);
    }
  }
  return fate;
}

bool Injection::concerns(const Entry& entry, Pid to) const {
  return !entry.fault.of_process() && to != me_ && (entry.fault.to < 0 || entry.fault.to == to);
}

// Each fault has its own random numbers for each link, so that the frames of one link do not influence another.
Injection::Link& Injection::link(Entry& entry, Pid to) {
  const auto found = entry.links.find(to);
  if (found != entry.links.end()) return found->second;
  const auto low = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  std::seed_seq seeds{low(entry.seed), low(entry.seed >> 32), entry.fault.number, low(static_cast<std::uint64_t>(me_)),
                      low(static_cast<std::uint64_t>(to))};
  return entry.links.emplace(to, Link{std::mt19937_64(seeds)}).first->second;
}

bool Injection::drawn(Entry& entry, Pid to) {
  return static_cast<double>(link(entry, to).random() >> 11) * 0x1p-53 < entry.fault.rate;
}

// Returns true once: when the n-th call or byte is among these `more` ones.
bool Injection::counted(Entry& entry, std::uint64_t more) {
  const bool before = entry.count < entry.fault.nth;
  entry.count += more;
  return before && entry.count >= entry.fault.nth;
}

void Injection::begin(Entry& entry, Nanoseconds now) {
  entry.begun = true;
  entry.begun_at = now;
}

// Whether the fault acts on this frame.
bool Injection::acts(Entry& entry, Pid to, std::size_t bytes, Nanoseconds now) {
  const PlannedFault& fault = entry.fault;
  if (reset_of(entry) != never) return false;  // resets() handles it, for all links at once
  if (fault.trigger == FaultTrigger::chance) {
    if (entry.begun && now < entry.fault.end(entry.begun_at)) return true;
    if (!drawn(entry, to)) return false;
    if (fault.kind == FaultKind::black_hole || fault.kind == FaultKind::refuse) begin(entry, now);
    return true;
  }
  if (!entry.begun) {
    const Nanoseconds at = PlannedFault::later(entry.added, fault.at_s);
    if (fault.trigger == FaultTrigger::time && now >= at) begin(entry, at);
    if (fault.trigger == FaultTrigger::byte && counted(entry, bytes)) begin(entry, now);
  }
  return entry.begun && !entry.spent && now < entry.fault.end(entry.begun_at);
}

void Injection::apply(Entry& entry, Pid to, std::size_t bytes, bool connected, Nanoseconds now, Fate& fate) {
  switch (entry.fault.kind) {
    case FaultKind::delay:
      fate.due = std::max(fate.due, PlannedFault::later(now, entry.fault.amount));
      break;
    case FaultKind::throttle: {
      Nanoseconds& free_at = link(entry, to).free_at;
      free_at = PlannedFault::later(std::max(free_at, now), static_cast<double>(bytes) / entry.fault.amount);
      fate.due = std::max(fate.due, free_at);
      break;
    }
    case FaultKind::black_hole:
      fate.due = std::max(fate.due, entry.fault.end(entry.begun_at));
      fate.hidden = true;
      break;
    case FaultKind::refuse:
      if (connected) return;
      fate.due = std::max(fate.due, entry.fault.end(entry.begun_at));
      fate.refused = true;
      break;
    case FaultKind::reset:
      fate.reset = true;
      break;
    case FaultKind::corrupt:
      fate.damage = entry.fault.payload ? Damage::payload : Damage::header;
      fate.bit = link(entry, to).random();
      break;
    case FaultKind::kill:
    case FaultKind::stop:
    case FaultKind::slow:
      return;  // not faults of links
  }
  entry.spent = happens_once(entry.fault);
  happens(entry, now);
}

// The time at which this fault resets its links; `never` if no time triggers it, or if it is spent.
Nanoseconds Injection::reset_of(const Entry& entry) {
  const PlannedFault& fault = entry.fault;
  const bool resets = fault.kind == FaultKind::reset && fault.trigger == FaultTrigger::time && !entry.spent;
  return resets ? PlannedFault::later(entry.added, fault.at_s) : never;
}

std::vector<Pid> Injection::resets(const std::vector<bool>& connected, Nanoseconds now) {
  std::vector<Pid> broken;
  for (Entry& entry : entries_) {
    if (now < reset_of(entry)) continue;
    for (Pid to = 0; to < static_cast<Pid>(connected.size()); ++to) {
      if (!connected[static_cast<std::size_t>(to)] || !concerns(entry, to)) continue;
      broken.push_back(to);
      happens(entry, now);
      entry.spent = true;
    }
  }
  return broken;
}

Nanoseconds Injection::first_reset() const {
  Nanoseconds first = never;
  for (const Entry& entry : entries_) {
    first = std::min(first, reset_of(entry));
  }
  return first;
}

void Injection::happens(Entry& entry, Nanoseconds now) {
  if (entry.times++ > 0) return;
  entry.first_at = now;
  const std::chrono::duration<double> after = now - entry.added;
  tell_({entry.fault.number, 1, after.count()});
}

void Injection::strike(Entry& entry, Nanoseconds now) {
  happens(entry, now);
  strike_(entry.fault);
}

std::vector<InjectedFault> Injection::happened() const {
  std::vector<InjectedFault> list;
  for (const Entry& entry : entries_) {
    const std::chrono::duration<double> after = entry.first_at - entry.added;
    if (entry.times > 0) list.push_back({entry.fault.number, entry.times, after.count()});
  }
  return list;
}

}  // namespace cohort
