// SPDX-License-Identifier: Apache-2.0
// When to look for a deadlock, and what was found. No I/O: events in, decisions out.
//
// A process reports when it begins to wait. That report may be outdated, so it only starts a search: all processes are
// asked. If some seem to wait for ever, all are asked a second time, and the second answers decide (deadlock.hpp). If a
// message was still on its way, the search starts again 50 ms later.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "groups/survivors.hpp"
#include "launcher/deadline.hpp"
#include "launcher/job/inquiry.hpp"

namespace cohort {

class DeadlockSearch {
 public:
  explicit DeadlockSearch(int ranks) : inquiry_(ranks), said_(static_cast<std::size_t>(ranks)) {}

  // A process has begun to wait.
  void waits(Pid pid, const process::v1::Doing& doing);

  void answered(Pid pid, process::v1::Doing&& doing) { inquiry_.answered(pid, std::move(doing)); }
  void unable(Pid pid) { inquiry_.unable(pid); }
  void stop();

  std::optional<Deadline> deadline() const { return earliest(inquiry_.deadline(), again_); }
  void time_up(Attended now);

  // Whether to ask all processes now. If so, the caller asks them and then calls asked().
  bool take_question(const Survivors& survivors);
  void asked(std::uint64_t question, std::set<Pid> processes, Attended now);

  // The processes that wait for ever; each deadlock is returned once. Call it after every event.
  std::set<Pid> take_found(const Survivors& survivors, Attended now);

  // The last report of each process.
  const Inquiry::Answers& said() const { return said_; }

 private:
  enum class Step : std::uint8_t { idle, wanted, first, second };  // first, second: that question is open

  Inquiry inquiry_;
  Inquiry::Answers said_;
  Step step_ = Step::idle;
  std::optional<Deadline> again_;
};

}  // namespace cohort
