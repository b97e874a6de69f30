// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/local_host.hpp"

#include <algorithm>
#include <bit>
#include <csignal>
#include <utility>

#include "launcher/host/welcome.hpp"
#include "launcher/printable.hpp"
#include "runtime/control/faults_message.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds quiet_limit(500);
constexpr milliseconds look_after(500);
constexpr unsigned last_mpi_look = 64;

}  // namespace

HostCommands LocalHost::on(HostEvent event, Attended now) {
  if (std::holds_alternative<Finished>(phase_)) return {};
  now_ = now;
  std::visit([this](auto&& heard) { hear(std::move(heard)); }, std::move(event));
  return std::exchange(commands_, {});
}

std::optional<Deadline> LocalHost::deadline() const {
  if (std::holds_alternative<Finished>(phase_)) return std::nullopt;
  const auto* const ending = std::get_if<Ending>(&phase_);
  return earliest(earliest(look_, faults_.deadline()), ending == nullptr ? std::nullopt : ending->quiet);
}

void LocalHost::hear(host_event::TimeUp&& /*event*/) {
  act(faults_.due(now_));
  if (look_ && look_->passed(now_)) {
    look_ = Deadline{now_ + look_after, look_after};
    commands_.push_back(host_command::Look{});
  }
  auto* const ending = std::get_if<Ending>(&phase_);
  if (ending == nullptr || !ending->quiet || !ending->quiet->passed(now_)) return;
  ending->quiet.reset();
  if (ending->launcher_is_slow || !window_.empty()) return finish_if_quiet();
  commands_.push_back(host_command::CloseOutput{});
}

// --- the launcher

void LocalHost::hear(host_event::Told&& event) {
  v1::ToHost& message = event.message;
  process::v1::ToProcess to_processes;
  switch (message.body_case()) {
    case v1::ToHost::kStart:
      return start(message.start());
    case v1::ToHost::kTable:
      add(welcome_.welcome().settings().faults());
      to_processes.mutable_table()->Swap(message.mutable_table());
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kFailure:
      to_processes.mutable_failure()->Swap(message.mutable_failure());
      failures_.push_back(to_processes);
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kAllLeft:
      to_processes.mutable_all_left();
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kSurvivors:
      to_processes.mutable_survivors()->Swap(message.mutable_survivors());
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kDeadlock:
      to_processes.mutable_deadlock()->Swap(message.mutable_deadlock());
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kInject:
      add(message.inject());
      to_processes.mutable_inject()->Swap(message.mutable_inject());
      return tell_processes(std::move(to_processes));
    case v1::ToHost::kAsk:
      stacks_wanted_ = message.ask().stacks();
      *to_processes.mutable_ask() = message.ask();
      tell_processes(std::move(to_processes));
      return commands_.push_back(host_command::LookWhoIsStopped{message.ask().question()});
    case v1::ToHost::kSignal:
      return signal(message.signal().number());
    case v1::ToHost::kKill:
      if (find(message.kill().pid()) != nullptr) {
        commands_.push_back(host_command::Signal{message.kill().pid(), SIGKILL});
      }
      return;
    case v1::ToHost::kInput:
      return commands_.push_back(host_command::Input{std::move(*message.mutable_input()->mutable_data())});
    case v1::ToHost::kOutputTaken:
      if (window_.taken(message.output_taken().bytes())) commands_.push_back(host_command::ResumeOutput{});
      return;
    case v1::ToHost::kBeMeasured:
      return commands_.push_back(host_command::BeMeasured{message.be_measured()});
    case v1::ToHost::kMeasure:
      return commands_.push_back(host_command::Measure{message.measure()});
    case v1::ToHost::kExamine:
      return commands_.push_back(host_command::Examine{message.examine().number()});
    case v1::ToHost::kFinish:
      return finish();
    case v1::ToHost::kBeat:
      if (message.beat().question() == 0) return;
      return commands_.push_back(host_command::LookWhoHasEnded{message.beat().question()});
    case v1::ToHost::kChunk:  // it was joined with the others
    case v1::ToHost::BODY_NOT_SET:
      return;
  }
}

void LocalHost::start(const v1::Start& order) {
  if (!std::holds_alternative<Waiting>(phase_)) return;
  phase_ = Running{};
  program_ = on_one_line(order.program());
  stalls_.limit(order.stall_limit());
  replay_ = {order.took().begin(), order.took().end()};
  *welcome_.mutable_welcome() = welcome_of(order, settings_.listen_at, settings_.cores);
  look_ = Deadline{now_ + look_after, look_after};
  commands_.push_back(host_command::Start{order});
}

void LocalHost::signal(int number) {
  for (const LocalProcess& process : processes_) commands_.push_back(host_command::Signal{process.pid, number});
  if (number == SIGCONT) suspended_ = false;
  if (number != SIGSTOP) return;
  suspended_ = true;
  v1::FromHost message;
  message.mutable_suspended();
  report(std::move(message));
}

void LocalHost::hear(host_event::SeenWhoHasEnded&& event) {
  v1::FromHost answer;
  answer.mutable_beat()->set_question(event.question);
  report(std::move(answer));
}

// --- the start

void LocalHost::hear(host_event::Started&& event) {
  processes_.push_back({.pid = event.pid});
  v1::FromHost message;
  message.mutable_started()->set_pid(event.pid);
  message.mutable_started()->set_process(event.process);
  report(std::move(message));
}

void LocalHost::hear(host_event::NotStarted&& event) {
  v1::FromHost message;
  message.mutable_not_started()->set_status(event.status);
  message.mutable_not_started()->set_reason(event.reason);
  report(std::move(message));
}

// --- input and output

void LocalHost::hear(host_event::InputTaken&& event) {
  v1::FromHost message;
  message.mutable_input_taken()->set_bytes(event.bytes);
  message.mutable_input_taken()->set_closed(event.closed);
  report(std::move(message));
}

void LocalHost::hear(host_event::Wrote&& event) {
  window_.sent(event.block.size());
  v1::FromHost message;
  message.mutable_output()->set_pid(event.pid);
  message.mutable_output()->set_error(event.error);
  message.mutable_output()->set_data(std::move(event.block));
  report(std::move(message));
}

void LocalHost::hear(host_event::StreamEnded&& event) {
  if (LocalProcess* const process = find(event.pid)) --process->open_streams;
  finish_if_quiet();
}

// --- looks at the processes

void LocalHost::hear(host_event::Looked&& event) {
  for (host_event::Looked::Process& seen : event.processes) {
    const LocalProcess* const process = find(seen.pid);
    const bool stalls = process != nullptr && process->runs() && seen.stopped && !suspended_;
    const std::optional<StallWatch::Stall> stall = stalls_.look(seen.pid, stalls, std::move(seen.turns), now_);
    if (!stall) continue;
    v1::FromHost message;
    message.mutable_stalled()->set_pid(seen.pid);
    message.mutable_stalled()->set_seconds(stall->seconds);
    message.mutable_stalled()->set_too_long(stall->too_long);
    report(std::move(message));
  }
  if (const std::optional<Attended> due = stalls_.next_due(now_); due && look_) look_->at = std::min(look_->at, *due);
  // A script or an interpreter loads an MPI library only when it runs the program. So the search looks at the first
  // process that has not joined: after 1, 2, 4, ... looks.
  if (other_mpi_.told || ++other_mpi_.looks > last_mpi_look || !std::has_single_bit(other_mpi_.looks)) return;
  const auto first = std::ranges::find(processes_, LocalProcess::Stage::started, &LocalProcess::stage);
  if (first != processes_.end()) commands_.push_back(host_command::LookForOtherMpi{first->pid});
}

void LocalHost::hear(host_event::OtherMpiFound&& event) {
  const int ranks = welcome_.welcome().ranks();
  if (ranks < 2 || std::exchange(other_mpi_.told, true)) return;
  v1::FromHost message;
  message.mutable_warning()->set_words(
      "'" + program_ + "' is a program of another MPI (" + event.library +
      "), in whose place Cohort has no library: each of its " + std::to_string(ranks) +
      " processes is a job of one. Build that library (tools/build release mpi_faces), if Cohort has it, or "
      "start the program with that MPI's own mpirun");
  report(std::move(message));
}

// --- faults

void LocalHost::add(const process::v1::Faults& faults) {
  faults_.add(
      read(faults), [this](Pid pid) { return find(pid) != nullptr && find(pid)->runs(); }, now_);
}

void LocalHost::act(const ProcessFaults::Actions& actions) {
  for (const auto& action : actions) {
    if (const auto* const signal = std::get_if<ProcessFaults::Signal>(&action)) {
      commands_.push_back(host_command::Signal{signal->pid, signal->number});
      continue;
    }
    const auto& happened = std::get<ProcessFaults::Happened>(action);
    v1::FromHost message;
    message.mutable_has_injected()->set_pid(happened.pid);
    write(happened.fault, *message.mutable_has_injected()->mutable_injected());
    report(std::move(message));
  }
}

// --- the end

void LocalHost::hear(host_event::Ended&& event) {
  LocalProcess* const process = find(event.pid);
  if (process == nullptr || !process->runs()) return;
  process->stage = LocalProcess::Stage::ended;
  faults_.ended(event.pid);
  v1::FromHost message;
  message.mutable_ended()->set_pid(event.pid);
  message.mutable_ended()->set_wait_status(event.wait_status);
  message.mutable_ended()->set_out_of_memory(event.out_of_memory);
  report(std::move(message));
  finish_if_quiet();
}

void LocalHost::finish() {
  if (std::holds_alternative<Ending>(phase_)) return;
  phase_ = Ending{};
  commands_.push_back(host_command::KillAll{});
  finish_if_quiet();
}

// An unknown process, or one that can't be killed, may hold an output pipe open for ever. The host waits only until the
// pipes were quiet for `quiet_limit`.
void LocalHost::finish_if_quiet() {
  auto* const ending = std::get_if<Ending>(&phase_);
  if (ending == nullptr || std::ranges::any_of(processes_, &LocalProcess::runs)) return;
  if (std::ranges::any_of(processes_, [](const LocalProcess& one) { return one.open_streams > 0; })) {
    *ending = {Deadline::after(quiet_limit, now_), !window_.empty()};
    return;
  }
  phase_ = Finished{};
  commands_.push_back(host_command::Forget{});
  v1::FromHost message;
  message.mutable_finished();
  report(std::move(message));
}

LocalProcess* LocalHost::find(Pid pid) {
  const auto process = std::ranges::find(processes_, pid, &LocalProcess::pid);
  return process == processes_.end() ? nullptr : &*process;
}

}  // namespace cohort
