// How a job ends: failures, signals to the launcher, timeouts, and the way out.
#include <algorithm>
#include <csignal>
#include <sstream>
#include <utility>

#include "launcher/job/running_job.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr auto suspend_limit = milliseconds(1'000);      // for all hosts to have stopped their processes
constexpr auto slow_reader_limit = milliseconds(2'000);  // for the output of a job that was ended early

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

// It has left in order: what the others still do is not ended for it.
void RunningJob::mistaken(Pid pid, const std::string& what) {
  if (!escalation_.has_signalled()) record_.mistaken.insert(pid);
  if (!phases_.early()) lines_.push_back(name(pid) + " left the job with a mistake: " + what);
}

// The first cause wins.
void RunningJob::end_early(const EndedBy& reason, const std::string& line) {
  if (phases_.end(reason)) begin_to_end(reason, line);
}

void RunningJob::begin_to_end(const EndedBy& reason, const std::string& line) {
  if (!line.empty()) lines_.push_back(line);
  timeout_.cancel();
  join_timeout_.cancel();
  if (phases_.now() == Phases::Phase::done) return close();
  escalation_.begin(reason, escalation_timer_.now());
  escalate();
}

void RunningJob::escalate() {
  const Escalation::Due due = escalation_.due(escalation_timer_.now());
  for (const int number : due.signals) signal_all(number);
  escalation_timer_.set(escalation_.deadline());
  if (!due.give_up) return;
  for (std::size_t i = 0; i < hosts_.size(); ++i) lost(static_cast<int>(i), "its processes could not be killed");
}

void RunningJob::signal_all(int number) {
  tell_all(signal_message(number));
  if (number != SIGKILL) tell_all(signal_message(SIGCONT));
}

void RunningJob::wait_for_signals() {
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (error) return;
    on_signal(number);
    wait_for_signals();
  });
}

void RunningJob::on_signal(int number) {
  if (number == SIGTSTP) return suspend();
  if (number == SIGQUIT) return say_what_processes_do(job_line());
  if (number == SIGCONT) suspend_limit_.cancel();
  if (number == SIGUSR1 || number == SIGUSR2 || number == SIGCONT) return tell_all(signal_message(number));
  if (phases_.over()) output_.abandon();  // only a slow reader of the output keeps us
  switch (phases_.interrupted(number, failures_ > 0)) {
    case Phases::Interruption::ends:
      return begin_to_end(*phases_.reason(), std::string("interrupted") + (number == SIGINT    ? ""
                                                                           : number == SIGTERM ? " by SIGTERM"
                                                                                               : " by SIGHUP"));
    case Phases::Interruption::waits:
      return;
    case Phases::Interruption::kills:
      escalation_.kill(escalation_timer_.now());
      output_.abandon();
      return escalate();
  }
}

// The processes stop, then the launcher: agents that were not told first would take it for lost. The shell's SIGCONT
// wakes it, and on_signal() wakes them.
void RunningJob::suspend() {
  for (HostState& host : hosts_) host.suspended = host.link == nullptr || host.lost;
  tell_all(signal_message(SIGSTOP));
  suspend_limit_.begin(suspend_limit, [] { ::raise(SIGSTOP); });
}

void RunningJob::suspended(HostState& host) {
  host.suspended = true;
  if (std::ranges::all_of(hosts_, &HostState::suspended) && suspend_limit_.cancel()) ::raise(SIGSTOP);
}

void RunningJob::on_timeout() {
  std::string line = "timeout: the job did not end within " + in_seconds(plan_.timeout_s);
  if (!phases_.has_processes()) line += "; some hosts could not be reached in that time";
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
  }
  describe_processes([this, line] {
    if (phases_.over()) return;
    end_early(ended_by::Timeout{}, line + (phases_.has_processes() ? "\n" + report() : ""));
  });
}

void RunningJob::on_join_timeout() {
  for (Pid pid = 0; pid < plan_.ranks; ++pid) {
    if (!roster_.has_joined(pid)) {
      return fail({.pid = pid,
                   .cause = FailureCause::stalled,
                   .words = "has not joined the job within " + in_seconds(plan_.join_timeout_s) + " of the first"},
                  1);
    }
  }
}

void RunningJob::finish_if_ended() {
  for (const HostState& host : hosts_) {
    if (host.ended < host.expected) return;
  }
  if (!phases_.drain()) return;
  timeout_.cancel();
  escalation_.stop();
  escalation_timer_.set(std::nullopt);
  input_.stop();
  v1::ToHost message;
  message.mutable_finish();
  tell_all(message);
  if (!phases_.early()) return;
  drain_limit_.begin(slow_reader_limit, [this] { output_.abandon(); });
}

void RunningJob::finish_if_all_hosts_did() {
  for (const HostState& host : hosts_) {
    if (!host.finished) return;
  }
  if (phases_.has_processes()) output_.when_written([this] { done(); });
}

void RunningJob::done() {
  if (phases_.finish()) close();
}

void RunningJob::close() {
  if (remote_) {
    remote_->close([this] { loop_.stop(); });
  } else {
    loop_.stop();
  }
}

}  // namespace cohort
