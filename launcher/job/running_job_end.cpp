// How a job ends: signals to the launcher, timeouts, and the way out.
#include <csignal>
#include <sstream>
#include <utility>

#include "launcher/job/running_job.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds suspend_limit(1'000);      // for all hosts to have stopped their processes
constexpr milliseconds slow_reader_limit(2'000);  // for the output of a job that was ended early

std::string in_seconds(double value) {
  std::ostringstream text;
  text << value << " s";
  return text.str();
}

v1::ToHost signal_message(int number) {
  v1::ToHost message;
  message.mutable_signal()->set_number(number);
  return message;
}

}  // namespace

// --- early

// The first cause wins.
void RunningJob::end_early(const EndedBy& reason, const std::string& line) {
  if (phases_.end(reason)) begin_to_end(line);
}

void RunningJob::begin_to_end(const std::string& line) {
  if (!line.empty()) last_words_.lines.push_back(line);
  limits_.cancel(Time::job);
  limits_.cancel(Time::join);
  verdicts_.stop();
  deadlock_.stop();
  if (phases_.now() == Phases::Phase::done) return close();
  escalation_.begin(*phases_.reason(), now_.attended);
  escalate();
}

void RunningJob::escalate() {
  const Escalation::Due due = escalation_.due(now_.attended);
  for (const int number : due.signals) {
    tell_all(signal_message(number));
    if (number != SIGKILL) tell_all(signal_message(SIGCONT));
  }
  for (int number = 0; due.give_up && number < hosts_.count(); ++number) {
    lost(number, "its processes could not be killed");
  }
}

void RunningJob::hear(event::OutputClosed&& /*event*/) { end_early(ended_by::ClosedOutput{}, ""); }

void RunningJob::hear(event::Signal&& event) {
  const int number = event.number;
  if (number == SIGTSTP) return suspend();
  if (number == SIGQUIT) return describe_processes(Headline{line(now_.clock)});
  if (number == SIGCONT) limits_.cancel(Time::suspend);
  if (number == SIGUSR1 || number == SIGUSR2 || number == SIGCONT) return tell_all(signal_message(number));
  if (phases_.over()) commands_.push_back(command::AbandonOutput{});  // only a slow reader of the output keeps us
  switch (phases_.interrupted(number, roster_.lost_count() > 0)) {
    case Phases::Interruption::ends:
      return begin_to_end(std::string("interrupted") + (number == SIGINT    ? ""
                                                        : number == SIGTERM ? " by SIGTERM"
                                                                            : " by SIGHUP"));
    case Phases::Interruption::waits:
      return;
    case Phases::Interruption::kills:
      escalation_.kill(now_.attended);
      commands_.push_back(command::AbandonOutput{});
      return escalate();
  }
}

void RunningJob::timed_out() {
  std::string line = "timeout: the job did not end within " + in_seconds(plan_.timeout_s);
  const auto add = [&](const char* what, std::initializer_list<Stage> stages) {
    const std::string list = roster_.list(stages);
    if (list.back() != ' ') line += std::string("; ") + what + list;
  };
  if (phases_.has_processes()) {
    if (roster_.anyone_joining()) add("not joined: ", {Stage::waiting, Stage::started});
    add("waiting for the others to join: ", {Stage::joining});
    add("still running: ", roster_.anyone_joining() ? std::initializer_list<Stage>{Stage::joined}
                                                    : std::initializer_list<Stage>{Stage::started});
    add("waiting for the others to leave: ", {Stage::left});
  } else {
    line += "; some hosts could not be reached in that time";
  }
  describe_processes(TimeoutLine{line});
}

void RunningJob::not_joined_in_time() {
  for (Pid pid = 0; pid < plan_.ranks; ++pid) {
    if (!roster_.has_joined(pid)) {
      return fail({.pid = pid,
                   .cause = FailureCause::stalled,
                   .words = "has not joined the job within " + in_seconds(plan_.join_timeout_s) + " of the first"},
                  1);
    }
  }
}

// --- stopped for a while

// The processes stop, then the launcher: agents that were not told first would take it for lost. The shell's SIGCONT
// wakes it, and it wakes them.
void RunningJob::suspend() {
  hosts_.suspend();
  tell_all(signal_message(SIGSTOP));
  limits_.begin(Time::suspend, suspend_limit, now_.attended);
}

void RunningJob::suspended(HostState& host) {
  host.suspended = true;
  if (hosts_.all_suspended() && limits_.cancel(Time::suspend)) commands_.push_back(command::Stop{});
}

// --- input and output

void RunningJob::hear(event::InputRead&& event) {
  v1::ToHost message;
  message.mutable_input()->set_data(std::move(event.chunk));
  hosts_.tell(0, std::move(message));  // it has rank 0
}

void RunningJob::hear(event::OutputWritten&& event) {
  v1::ToHost message;
  message.mutable_output_taken()->set_bytes(event.bytes);
  hosts_.tell(event.host, std::move(message));
}

// --- the way out

void RunningJob::finish_if_ended() {
  if (!hosts_.all_ended() || !phases_.drain()) return;
  limits_.cancel(Time::job);
  escalation_.stop();
  deadlock_.stop();
  commands_.push_back(command::StopInput{});
  v1::ToHost message;
  message.mutable_finish();
  tell_all(std::move(message));
  if (phases_.early()) limits_.begin(Time::drain, slow_reader_limit, now_.attended);
}

void RunningJob::finish_if_all_hosts_did() {
  if (hosts_.all_finished() && phases_.has_processes()) commands_.push_back(command::DrainOutput{});
}

void RunningJob::hear(event::OutputDrained&& /*event*/) {
  if (phases_.finish()) close();
}

void RunningJob::close() { commands_.push_back(command::Close{}); }

}  // namespace cohort
