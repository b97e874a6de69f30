// SPDX-License-Identifier: Apache-2.0
// Which processes of a job have joined and left, which are lost, and why. Only the launcher decides that a process is
// lost. Losses are numbered, and all processes are told of each. A machine: events in, with their time, and news out;
// the caller acts on the news in their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cohort/failure.hpp"
#include "groups/survivors.hpp"
#include "launcher/deadline.hpp"
#include "launcher/job/blames.hpp"
#include "launcher/job/hosts.hpp"
#include "launcher/job/job_events.hpp"
#include "launcher/job/roster.hpp"
#include "launcher/job/verdicts.hpp"

namespace cohort {

namespace news {

struct Lost {
  Failure failure;
  int exit_status;             // for the job
  std::optional<Pid> culprit;  // another process, whose mistake caused the loss
  std::string line;            // for the user
  bool by_itself;              // the process ended by itself: by exit or abort
  bool goes_on;                // whether the job goes on without the process; otherwise the job ends
};
struct Ended {
  Pid pid;  // the process ended in order, or because the job ends
  int wait_status;
};
struct TellAll {
  v1::ToHost message;  // to all hosts
};
struct Warning {
  std::string words;
};

}  // namespace news

using News = std::vector<std::variant<news::Lost, news::Ended, news::TellAll, news::Warning>>;

class JobMembership {
 public:
  struct Settings {
    bool goes_on = false;      // a job that runs goes on without the processes that it loses
    double host_limit_s = 0;   // 0: a host that does not answer is never given up
    double stall_limit_s = 0;  // 0: a stopped process is never given up
  };
  JobMembership(std::vector<HostPlan> hosts, const Settings& settings);

  const Roster& roster() const { return roster_; }
  const Survivors& survivors() const { return survivors_; }
  std::string name(Pid pid) const;  // "rank 3 (host a, process 4711)"

  // The job's state, which decides whether a process's end is a loss.
  void runs();       // all processes have the table of addresses
  void ends();       // the job ends early: only a process that is killed is still a loss
  void signalled();  // the job has sent its processes a signal: no end is a loss any more

  void started(Pid pid, std::int64_t process) { roster_.started(pid, process); }
  News joining(Pid pid, const Moment& now);
  bool joined(Pid pid) { return roster_.joined(pid); }  // true once: when all have joined
  News left(Pid pid);
  News ended(const v1::Ended& message, const Moment& now);
  News lost_host(const HostPlan& host, const std::string& cause, const Moment& now);
  News not_joined_in_time(const std::string& limit, const Moment& now);

  // A host reports trouble with one of its processes, or the suspicion of one of its processes against another.
  News heard(const v1::FromHost& message, const Moment& now);

  // A host has reported all deaths that it knew of when it got this question.
  News answered(int host, std::uint32_t question, const Moment& now);

  std::optional<Deadline> deadline() const { return verdicts_.deadline(); }
  News time_up(const Moment& now);

 private:
  enum class Job : std::uint8_t { gathers, runs, aborts, ends, has_signalled };

  bool goes_on() const { return settings_.goes_on && job_ == Job::runs; }
  bool early() const { return job_ >= Job::ends; }
  const HostPlan& host_of(Pid pid) const;
  News take() { return std::exchange(news_, {}); }

  void fail(Failure failure, int exit_status);
  bool lose(Failure failure, int exit_status);
  void gone(const std::vector<Pid>& pids);
  void give_up(Failure failure);
  void kill(Pid pid);
  void tell(const Survivors::Answer& answer);
  v1::ToHost& tell_all() { return std::get<news::TellAll>(news_.emplace_back(news::TellAll{})).message; }
  void fail_by_end(Pid pid, int wait_status, const std::string& ending, bool out_of_memory);
  std::optional<Blamed> behind(const Failure& failure) const;
  std::string line_of(const Failure& failure, const std::optional<Blamed>& behind) const;
  void blames(const v1::Blames& message);
  void aborts(const v1::Blames& message);
  void stalled(const v1::Stalled& message);
  void give_up_closed(const Closing& closing);
  void judge_links(bool patient);
  void asks_survivors(const v1::AsksSurvivors& message);

  const std::vector<HostPlan> hosts_;
  const Settings settings_;
  News news_;   // of the event that is being handled
  Moment now_;  // the time of that event
  Job job_ = Job::gathers;
  Roster roster_;
  Verdicts verdicts_;
  Blames blames_;
  Survivors survivors_;
};

}  // namespace cohort
