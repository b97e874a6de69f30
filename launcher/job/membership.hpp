// What has become of each process of a job: who has joined and left, who is lost, and why. The launcher's word on a
// loss is the only one; losses are numbered, and all processes are told of each. A machine: events in, with their time,
// and news out, to be performed in their order.
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
  int exit_status;             // that it gives the job
  std::optional<Pid> culprit;  // another process, whose mistake it follows from
  std::string line;            // for the user
  bool by_itself;              // it has ended, and nothing has killed it
  bool goes_on;                // the job, without it; else it ends
};
struct Ended {
  Pid pid;  // in order, or because the job ends
  int wait_status;
};
struct TellAll {
  v1::ToHost message;  // all hosts
};
struct Warning {
  std::string words;
};

}  // namespace news

using News = std::vector<std::variant<news::Lost, news::Ended, news::TellAll, news::Warning>>;

class Membership {
 public:
  struct Settings {
    bool goes_on = false;      // once it runs, the job goes on without processes that it loses
    double host_limit_s = 0;   // 0: a host that does not answer is not given up
    double stall_limit_s = 0;  // 0: a process may be stopped for ever
  };
  Membership(std::vector<HostPlan> hosts, const Settings& settings);

  const Roster& roster() const { return roster_; }
  const Survivors& survivors() const { return survivors_; }
  std::string name(Pid pid) const;  // "rank 3 (host a, process 4711)"

  // Of the job: deaths mean something else then.
  void runs();       // all processes know of one another
  void ends();       // early: only what is killed otherwise is news
  void signalled();  // and it has sent a signal: nothing is news

  void started(Pid pid, std::int64_t process) { roster_.started(pid, process); }
  News joining(Pid pid, const Moment& now);
  bool joined(Pid pid) { return roster_.joined(pid); }  // true once: when all have
  News left(Pid pid);
  News ended(const v1::Ended& message, const Moment& now);
  News lost_host(const HostPlan& host, const std::string& cause, const Moment& now);
  News not_joined_in_time(const std::string& limit, const Moment& now);

  // What a host says of trouble with one of its processes, or one of these of others.
  News heard(const v1::FromHost& message, const Moment& now);

  // A host has told of all deaths up to this question.
  News answered(int host, std::uint32_t question, const Moment& now);

  std::optional<Deadline> deadline() const { return verdicts_.deadline(); }
  News time_up(const Moment& now);

 private:
  enum class Job : std::uint8_t { gathers, runs, ends, has_signalled };

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
  void stalled(const v1::Stalled& message);
  void give_up_closed(const Closing& closing);
  void judge_links(bool patient);
  void asks_survivors(const v1::AsksSurvivors& message);

  const std::vector<HostPlan> hosts_;
  const Settings settings_;
  News news_;   // of the event that is being heard,
  Moment now_;  // and its time
  Job job_ = Job::gathers;
  Roster roster_;
  Verdicts verdicts_;
  Blames blames_;
  Survivors survivors_;
};

}  // namespace cohort
