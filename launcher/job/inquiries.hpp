// What the job's processes are doing: who wants to know, when they are asked, and what they say; and in develop mode
// whether some wait for one another for ever. A machine: events in, questions and reports out.
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
#include "launcher/job/membership.hpp"

namespace cohort {

// Why the processes are asked what they are doing.
namespace occasion {
struct Timeout {
  std::string line;  // that says so
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
    bool stacks = false;    // are wanted of those that are not in the library
    bool develop = false;   // deadlocks are searched for
    double patience_s = 0;  // a process that waits for longer is told of
  };
  Inquiries(int ranks, const Settings& settings) : settings_(settings), inquiry_(ranks), deadlock_(ranks) {}

  // Several occasions at a time share the answers. Returns the question to all processes, unless one is open.
  std::optional<v1::ToHost> describe(Occasion occasion, const Membership& members, Attended now);

  // A process says what it does. Returns a headline once for a hang: its wait has become too long.
  std::optional<occasion::Headline> does(Pid pid, process::v1::Doing&& doing, Clock::time_point now);

  // It does not answer any more.
  void unable(Pid pid);

  std::optional<Deadline> deadline() const { return earliest(inquiry_.deadline(), deadlock_.deadline()); }
  void time_up(Attended now);

  // Once all have answered that can: what for, and, until the next question, what they do.
  std::vector<Occasion> take_described();
  std::string report(const Membership& members) const;

  // Whether to search for a deadlock now: then this question is for all processes.
  std::optional<v1::ToHost> take_search(const Membership& members, Attended now);
  void stop_search() { deadlock_.stop(); }

  // Who waits for ever, once.
  struct Deadlock {
    std::string who;   // for the processes' own errors
    std::string line;  // for the user
  };
  std::optional<Deadlock> take_deadlock(const Membership& members, Attended now);

 private:
  v1::ToHost next_question(bool stacks);
  std::string describe_process(Pid pid, const Membership& members, const Inquiry::Answers& answers) const;

  const Settings settings_;
  Inquiry inquiry_;
  std::vector<Occasion> occasions_;  // for it
  DeadlockSearch deadlock_;
  std::uint64_t questions_ = 0;
  std::optional<Clock::time_point> long_wait_reported_;
};

}  // namespace cohort
