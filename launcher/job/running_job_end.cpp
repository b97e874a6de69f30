// SPDX-License-Identifier: Apache-2.0
// How a job ends: early, by a timeout, and in order.
#include <csignal>
#include <sstream>
#include <utility>

#include "launcher/job/running_job.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds slow_reader_limit(2'000);  // to write the rest of the output of a job that was ended early

std::string in_seconds(double value) {
  std::ostringstream text;
  text << value << " s";
  return text.str();
}

}  // namespace

// --- early

// Only the first cause counts; later ones are ignored.
void RunningJob::end_early(const EndedBy& reason, const std::string& line) {
  if (phases_.end(reason)) begin_to_end(line);
}

void RunningJob::begin_to_end(const std::string& line) {
  if (!line.empty()) last_words_.add(line);
  limits_.cancel(Time::job);
  limits_.cancel(Time::join);
  members_.ends();
  inquiries_.stop_search();
  if (phases_.now() == Phases::Phase::done) return commands_.push_back(command::Close{});
  escalation_.begin(*phases_.reason(), now_.attended);
  escalate();
}

void RunningJob::escalate() {
  const Escalation::Due due = escalation_.due(now_.attended);
  if (!due.signals.empty()) members_.signalled();
  for (const int number : due.signals) {
    signal_all(number);
    if (number != SIGKILL) signal_all(SIGCONT);
  }
  for (int number = 0; due.give_up && number < hosts_.count(); ++number) {
    lost(number, "its processes could not be killed");
  }
}

void RunningJob::time_up(Time limit) {
  switch (limit) {
    case Time::job:
      return describe(occasion::Timeout{timeout_line()});
    case Time::join:
      return hear(members_.not_joined_in_time(in_seconds(plan_.join_timeout_s), now_));
    case Time::drain:
      return commands_.push_back(command::DropOutput{});
    case Time::suspend:
      return commands_.push_back(command::Stop{});
  }
}

std::string RunningJob::timeout_line() const {
  const Roster& roster = members_.roster();
  std::string line = "timeout: the job did not end within " + in_seconds(plan_.timeout_s);
  if (!phases_.has_processes()) return line + "; some hosts could not be reached in that time";
  const auto add = [&](const char* what, std::initializer_list<Stage> stages) {
    const std::string list = roster.list(stages);
    if (list.back() != ' ') line += std::string("; ") + what + list;
  };
  if (roster.anyone_joining()) add("not joined: ", {Stage::waiting, Stage::started});
  add("waiting for the others to join: ", {Stage::joining});
  if (roster.anyone_joining()) {
    add("still running: ", {Stage::joined});
  } else {
    add("still running: ", {Stage::started});
  }
  add("waiting for the others to leave: ", {Stage::left});
  return line;
}

// --- input and output

void RunningJob::hear(event::InputRead&& event) {
  v1::ToHost message;
  message.mutable_input()->set_data(std::move(event.chunk));
  hosts_.tell(0, std::move(message));  // host 0 has rank 0, which reads the input
}

void RunningJob::hear(event::OutputWritten&& event) {
  v1::ToHost message;
  message.mutable_output_taken()->set_bytes(event.bytes);
  hosts_.tell(event.host, std::move(message));
}

// --- the end in order

void RunningJob::finish_if_ended() {
  if (!hosts_.all_ended() || !phases_.drain()) return;
  limits_.cancel(Time::job);
  escalation_.stop();
  inquiries_.stop_search();
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
  if (phases_.finish()) commands_.push_back(command::Close{});
}

}  // namespace cohort
