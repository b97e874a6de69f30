// SPDX-License-Identifier: Apache-2.0
// Decides which processes to give up although no death was reported: a process that closed its control link and goes
// on, and one end of a broken link. Both wait for some time, because a late death may still explain them. No I/O:
// events in, decisions out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/broken_links.hpp"
#include "launcher/job/roster.hpp"

namespace cohort {

// A process that has not left the job closed its control link, or ended below a shell that still runs.
struct Closing {
  Pid pid = 0;
  bool ended = false;
  std::optional<int> wait_status{};  // if the agent knows how the process ended
  bool out_of_memory = false;
};

class Verdicts {
 public:
  // `host_of`: by pid, the number of the process's host.
  explicit Verdicts(std::vector<int> host_of);

  void closes(const Closing& closing, Attended now);
  bool has_closed(Pid pid) const { return closings_.contains(pid); }

  void suspects(Pid by, Pid of, std::string cause, Attended now);

  // A host has reported all deaths that it knew of when it got this question.
  void answered(int host, std::uint32_t question);

  std::optional<Deadline> deadline() const;

  // A closing whose time limit has passed; each is returned once.
  std::optional<Closing> take_closing(Attended now);

  // Whether the accusations have waited long enough. If so, their time begins again, and the caller calls judge(). Then
  // it asks all hosts about deaths if ask() returns a question.
  bool take_time_up(Attended now);
  std::optional<std::uint32_t> ask() { return accusations_.ask(); }

  // A decided accusation: the job gives up the process `of`. The caller records the loss and calls judge() again.
  // `patient`: wait for a host that has not answered, because the host may be lost.
  std::optional<Accusation> judge(const Roster& roster, bool patient);

  // The job ends: no process is given up any more.
  void stop();

 private:
  struct Open {
    Closing closing;
    std::optional<Deadline> deadline;  // nothing once it has passed
  };

  std::vector<int> host_of_;
  std::vector<std::uint32_t> answered_;  // by host: the last question that it answered
  std::map<Pid, Open> closings_;
  BrokenLinks accusations_;
  std::optional<Deadline> verdict_;
};

}  // namespace cohort
