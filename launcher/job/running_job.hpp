// A job's life: its hosts, who has joined and left, the failures, the end. A machine without I/O: events in, with their
// time, and commands out (job_events.hpp). JobShell gives it sockets and a clock.
//
//   hosts attach -> all are told to start -> processes join, each says where it listens -> all get the table ->
//   processes leave -> processes end -> hosts finish -> the rest of the output is written
//
// The job ends early, by one path (end_early), when a process fails, on Ctrl-C, on a timeout, or when nobody reads its
// output: what runs gets a signal, some time, and then SIGKILL.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cohort/failure.hpp"
#include "groups/survivors.hpp"
#include "launcher/deadline.hpp"
#include "launcher/host/machine.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/job/blames.hpp"
#include "launcher/job/deadlock_search.hpp"
#include "launcher/job/escalation.hpp"
#include "launcher/job/exit_status.hpp"
#include "launcher/job/fault_reports.hpp"
#include "launcher/job/inquiry.hpp"
#include "launcher/job/job_events.hpp"
#include "launcher/job/job_hosts.hpp"
#include "launcher/job/job_plan.hpp"
#include "launcher/job/phases.hpp"
#include "launcher/job/receive_record.hpp"
#include "launcher/job/roster.hpp"
#include "launcher/job/verdicts.hpp"
#include "runtime/job.hpp"

namespace cohort {

// What the launcher's process has for a job.
struct JobOrigin {
  std::uint64_t id = 0;  // a random number
  Secret secret{};
  SignalSettings signals;  // that the processes begin with
  Machine here;            // of the hosts that are this one
};

class RunningJob {
 public:
  RunningJob(JobPlan plan, JobOrigin origin);
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

  // Begin comes first; after Close nothing comes of anything.
  Commands on(Event event, const Moment& now);

  // When TimeUp is to be heard next.
  std::optional<Deadline> deadline() const;

  // "-n 4 ./program, for 3 s"
  std::string line(Clock::time_point now) const;

  // Once it is over.
  JobRecord record() const;                     // but for what became of its output
  std::vector<std::string> last_words() const;  // for standard error
  const ReceiveRecord& receives() const { return receives_; }

 private:
  using HostState = JobHosts::State;
  enum class Time : std::uint8_t { job, join, measurement, drain, suspend };  // that is limited
  enum class Measurement : std::uint8_t { none, wanted, begun, over };        // of the network between hosts

  // Why the processes were asked what they are doing.
  struct TimeoutLine {
    std::string words;
  };
  struct Headline {
    std::string words;
  };
  using Occasion = std::variant<TimeoutLine, Headline, event::Describe>;

  void hear(event::Begin&& event);
  void hear(event::FromHost&& event);
  void hear(event::HostLost&& event) { lost(event.host, event.cause); }
  void hear(event::Signal&& event);
  void hear(event::InputRead&& event);
  void hear(event::OutputWritten&& event);
  void hear(event::OutputClosed&& event);
  void hear(event::OutputDrained&& event);
  void hear(event::TimeUp&& event);
  void hear(event::Describe&& event) { describe_processes(event); }
  void hear(event::Inject&& event);
  void settle();

  void heard_of_process(int number, v1::FromHost&& message);
  void heard_of_trouble(const HostState& host, const v1::FromHost& message);
  void attached(HostState& host, const v1::Attached& message);
  void start();
  v1::ToHost start_order() const;
  void add_replay(const HostPlan& host, v1::Start& order) const;
  void expect(const GivenFaults& faults);
  void not_started(HostState& host, int status, const std::string& reason);
  void started(HostState& host, const v1::Started& message);
  void joining(Pid pid);
  void listens(Pid pid, ProcessAddress address);
  void left(Pid pid);
  void ended(HostState& host, const v1::Ended& message);

  void measure_network();
  void describe_meeting(v1::BeMeasured& meeting) const;
  void measurable(const std::string& ip, std::uint32_t port);
  void measured(const v1::FromHost& message);
  void tell_table();

  void lost(int number, const std::string& cause);
  void fail(Failure failure, int exit_status);
  bool lose(Failure failure, int exit_status);
  void unable(Pid pid);
  void fail_by_end(Pid pid, int wait_status, const std::string& ending, bool out_of_memory);
  std::optional<Blamed> behind(const Failure& failure) const;
  std::string line_of(const Failure& failure, const std::optional<Blamed>& behind) const;
  void blames(const v1::Blames& message);
  void refused(const v1::Refuses& message);
  void closes(const v1::Closes& message);
  void give_up_closed(const Closing& closing);
  void suspects(Pid by, const process::v1::Suspect& suspect);
  void answered(int host, std::uint32_t question);
  void judge_links(bool patient);
  void ask_for_deaths();
  void stalled(const v1::Stalled& message);
  void give_up(Failure failure);
  void kill(Pid pid);
  void gone(const std::vector<Pid>& pids);
  void asks_survivors(Pid by, const process::v1::AskSurvivors& message);
  void tell(const Survivors::Answer& answer);
  void mistaken(Pid pid, const std::string& what);

  void end_early(const EndedBy& reason, const std::string& line);
  void begin_to_end(const std::string& line);
  void escalate();
  void time_up(Time limit);
  void timed_out();
  void not_joined_in_time();
  void suspend();
  void suspended(HostState& host);
  void finish_if_ended();
  void finish_if_all_hosts_did();
  void close();

  void does(Pid pid, process::v1::Doing&& doing);
  std::set<Pid> ask(bool stacks);
  void describe_processes(Occasion occasion);
  void described(const Occasion& occasion);
  void report_long_wait(Pid pid, const process::v1::Doing& doing);
  std::string report() const;
  std::string describe_process(Pid pid, const Inquiry::Answers& answers) const;
  void look_for_deadlock();
  void deadlocked(const std::set<Pid>& found);

  bool goes_on() const { return plan_.goes_on && phases_.runs(); }
  std::string name(Pid pid) const;
  void tell_all(v1::ToHost message) { hosts_.tell_all(std::move(message)); }
  void say(std::string text) { commands_.push_back(command::Say{std::move(text)}); }

  JobPlan plan_;
  const JobOrigin origin_;
  Commands commands_;  // of the event that is being heard,
  Moment now_;         // and its time
  Clock::time_point begun_;

  JobHosts hosts_;
  Roster roster_;
  std::vector<ProcessAddress> addresses_;  // by pid
  Measurement measurement_ = Measurement::none;

  Phases phases_;
  Escalation escalation_;
  Deadlines<Time> limits_;
  JobRecord record_;

  Verdicts verdicts_;
  Blames blames_;
  Survivors survivors_;

  Inquiry inquiry_;
  std::vector<Occasion> occasions_;  // for it: several at a time share the answers
  std::uint64_t questions_ = 0;
  std::optional<Clock::time_point> long_wait_reported_;
  DeadlockSearch deadlock_;

  FaultReports faults_;
  ReceiveRecord receives_;
  std::set<std::string> warnings_;  // of the hosts, that have been told
  struct {
    std::vector<std::string> lines;
    std::optional<std::size_t> failures;  // the one that sums them up
  } last_words_;
};

}  // namespace cohort
