// SPDX-License-Identifier: Apache-2.0
// What the job's processes are doing: asks all of them when there is an occasion, and reports their answers. In develop
// mode also searches for deadlocks. A machine: events in, questions and reports out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/deadlock_search.hpp"
#include "launcher/job/inquiry.hpp"
#include "launcher/job/job_events.hpp"
#include "launcher/job/job_membership.hpp"

namespace cohort {

// Why the processes are asked what they are doing.
namespace occasion {
struct Timeout {
  std::string line;  // for the user
};
struct Headline {
  std::string words;  // for the user
};
struct Question {
  std::uint64_t asker;  // event::Describe
};
}  // namespace occasion
using Occasion = std::variant<occasion::Timeout, occasion::Headline, occasion::Question>;

class Inquiries {
 public:
  struct Settings {
    bool stacks = false;    // ask for the stack of a process that is not in the library
    bool develop = false;   // search for deadlocks
    double patience_s = 0;  // report a process that waits for longer
  };
  Inquiries(int ranks, const Settings& settings) : settings_(settings), inquiry_(ranks), deadlock_(ranks) {}

  // Returns the question to all processes. If a question is open already, returns nothing: the occasions share answers.
  std::optional<v1::ToHost> describe(Occasion occasion, const JobMembership& members, Attended now);

  // A process reports what it does. Returns a headline, once for each hang, if it has waited for longer than
  // patience_s.
  std::optional<occasion::Headline> does(Pid pid, process::v1::Doing&& doing, Clock::time_point now);

  // The process cannot answer any more.
  void unable(Pid pid);

  std::optional<Deadline> deadline() const { return earliest(inquiry_.deadline(), deadlock_.deadline()); }
  void time_up(Attended now);

  // Returns the occasions once all processes that can answer have answered. report() is valid until the next question.
  std::vector<Occasion> take_described();
  std::string report(const JobMembership& members) const;

  // The question to all processes if a search for a deadlock is due now, or nothing.
  std::optional<v1::ToHost> take_search(const JobMembership& members, Attended now);
  void stop_search() { deadlock_.stop(); }

  // The processes that wait for ever; each deadlock is returned once.
  struct Deadlock {
    std::string who;   // for the processes' own errors
    std::string line;  // for the user
  };
  std::optional<Deadlock> take_deadlock(const JobMembership& members, Attended now);

 private:
  v1::ToHost next_question(bool stacks);
  std::string describe_process(Pid pid, const JobMembership& members, const Inquiry::Answers& answers) const;

  const Settings settings_;
  Inquiry inquiry_;
  std::vector<Occasion> occasions_;  // for the open inquiry
  DeadlockSearch deadlock_;
  std::uint64_t questions_ = 0;
  std::optional<Clock::time_point> long_wait_reported_;
};

}  // namespace cohort
