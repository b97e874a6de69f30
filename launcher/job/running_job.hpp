// SPDX-License-Identifier: Apache-2.0
// A job's life: its hosts, its phase, the reason of its end. A machine without I/O: events in, with their time, and
// commands out (job_events.hpp). JobShell gives it sockets and a clock. JobMembership records which processes join,
// leave and are lost, Inquiries what they are doing, Gathering where they listen.
//
//   hosts attach -> all hosts are told to start -> processes join and report where they listen -> all get the table ->
//   processes leave -> processes end -> hosts finish -> the rest of the output is written
//
// The job ends early when a process fails, on Ctrl-C, on a timeout, or when the reader of its output is gone. There is
// one path for this (end_early): the processes that run get a signal, some time, and then SIGKILL.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/escalation.hpp"
#include "launcher/job/exit_status.hpp"
#include "launcher/job/fault_reports.hpp"
#include "launcher/job/gathering.hpp"
#include "launcher/job/inquiries.hpp"
#include "launcher/job/job_events.hpp"
#include "launcher/job/job_hosts.hpp"
#include "launcher/job/job_membership.hpp"
#include "launcher/job/job_origin.hpp"
#include "launcher/job/job_plan.hpp"
#include "launcher/job/last_words.hpp"
#include "launcher/job/phases.hpp"
#include "launcher/job/receive_record.hpp"

namespace cohort {

class RunningJob {
 public:
  RunningJob(JobPlan plan, JobOrigin origin);
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;

  // The first event must be Begin. After command::Close, events have no effect.
  Commands on(Event event, const Moment& now);

  // When the shell must send the next TimeUp.
  std::optional<Deadline> deadline() const;

  // "-n 4 ./program, for 3 s"
  std::string line(Clock::time_point now) const;

  // Valid once the job is over.
  JobRecord record() const;                     // without `output_lost`, which the shell knows
  std::vector<std::string> last_words() const;  // for standard error
  const ReceiveRecord& receives() const { return receives_; }

 private:
  using HostState = JobHosts::State;
  enum class Time : std::uint8_t { job, join, drain, suspend };  // the parts of a job that have a time limit

  void hear(event::Begin&& event);
  void hear(event::FromHost&& event);
  void hear(event::HostLost&& event) { lost(event.host, event.cause); }
  void hear(event::Signal&& event);
  void hear(event::InputRead&& event);
  void hear(event::OutputWritten&& event);
  void hear(event::OutputClosed&& /*event*/) { end_early(ended_by::ClosedOutput{}, ""); }
  void hear(event::OutputDrained&& event);
  void hear(event::TimeUp&& event);
  void hear(event::Describe&& event) { describe(occasion::Question{event.asker}); }
  void hear(event::Inject&& event);
  void settle();

  void hear_process(int number, Pid pid, v1::FromHost&& message);
  void attached(HostState& host, const v1::Attached& message);
  void start_if_attached();
  void measure_network();
  void not_started(HostState& host, const v1::NotStarted& message);
  void expect(const GivenFaults& faults);
  void lost(int number, const std::string& cause);

  void hear(News&& news);
  void hear(news::Lost&& loss);
  void hear(news::Ended&& ended);
  void hear(news::TellAll&& news) { tell_all(std::move(news.message)); }
  void hear(news::Warning&& warning) { say("cohort: warning: " + warning.words + "\n"); }

  void describe(Occasion occasion);
  void described(const Occasion& occasion);

  void end_early(const EndedBy& reason, const std::string& line);
  void begin_to_end(const std::string& line);
  void escalate();
  void time_up(Time limit);
  std::string timeout_line() const;
  void suspend();
  void signal_all(int number);
  void finish_if_ended();
  void finish_if_all_hosts_did();

  void tell_all(v1::ToHost message) { hosts_.tell_all(std::move(message)); }
  void say(std::string text) { commands_.push_back(command::Say{std::move(text)}); }

  const JobPlan plan_;
  const JobOrigin origin_;
  Commands commands_;  // of the event that is being handled
  Moment now_;         // the time of that event
  Clock::time_point begun_;

  JobHosts hosts_;
  Gathering gathering_;
  JobMembership members_;
  Inquiries inquiries_;

  Phases phases_;
  Escalation escalation_;
  Deadlines<Time> limits_;
  JobRecord record_;

  FaultReports faults_;
  ReceiveRecord receives_;
  std::set<std::string> warnings_;  // the hosts' warnings that the user has seen
  LastWords last_words_;
};

}  // namespace cohort
