// One host's part in saying what the processes are doing.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "launcher/host/local_host.hpp"
#include "launcher/host/other_mpi.hpp"
#include "launcher/host/process_files.hpp"
#include "launcher/host/report.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds stall_look(500);
constexpr unsigned last_mpi_look = 64;
constexpr double short_stop_s = 1;  // not worth a word

// It can't say so itself.
bool is_stopped(pid_t process) {
  const char state = state_of(process);
  return state == 'T' || state == 't';
}

}  // namespace

void LocalHost::ask(const v1::ToHost& message) {
  stacks_wanted_ = message.ask().stacks();
  process::v1::ToProcess question;
  *question.mutable_ask() = message.ask();
  tell_processes(question);
  for (const LocalProcess& process : processes_) {
    if (!process.running || !is_stopped(process.member())) continue;
    process::v1::Doing stopped;
    stopped.set_question(message.ask().question());
    stopped.set_stopped(true);
    tell_doing(process.pid, stopped);
  }
}

void LocalHost::watch_for_stalls() {
  stall_timer_.expires_after(stall_look);
  stall_timer_.async_wait([this](const asio::error_code& error) {
    if (error) return;
    look_for_stalls();
    look_at_memory();
    look_for_other_mpi();
    watch_for_stalls();
  });
}

// Whom a debugger has stopped is in somebody's hands; all others are told of, and in the end given up.
void LocalHost::look_for_stalls() {
  for (LocalProcess& process : processes_) {
    if (!process.running) forget_if_gone(process);  // what it left behind may have ended since
    if (!process.running || suspended_ || state_of(process.member()) != 'T') {
      process.stopped.reset();
      process.stall_told = false;
      continue;
    }
    // Between two looks it may have run, and been stopped again: such a one is slow.
    const std::string turns = text_of(process.member(), "schedstat");
    if (!process.stopped || turns != process.turns) process.stopped.emplace(2 * stall_look, Clock::now());
    process.turns = turns;
    process.stopped->look(Clock::now());
    const double seconds = std::chrono::duration<double>(process.stopped->now()).count();
    const bool too_long = stall_limit_s_ > 0 && seconds >= stall_limit_s_;
    if (!too_long && (seconds < short_stop_s || std::exchange(process.stall_told, true))) continue;
    v1::FromHost message;
    message.mutable_stalled()->set_pid(process.pid);
    message.mutable_stalled()->set_seconds(seconds);
    message.mutable_stalled()->set_too_long(too_long);
    emit(std::move(message));
  }
}

void LocalHost::look_at_memory() {
  std::vector<pid_t> running;
  for (const LocalProcess& process : processes_) {
    if (!process.running) continue;
    running.push_back(process.process);
    if (process.member() != process.process) running.push_back(process.member());
  }
  memory_deaths_->look(running);
}

void LocalHost::look_for_other_mpi(const std::string& library) {
  if (library.empty() || welcome_->welcome().ranks() < 2 || std::exchange(other_mpi_.told, true)) return;
  v1::FromHost message;
  message.mutable_warning()->set_words("'" + program_ + "' is a program of another MPI (" + library +
                                       "), which `cohort run` " + "does not bring together: each of its " +
                                       std::to_string(welcome_->welcome().ranks()) +
                                       " processes is a job of one. Start it with that MPI's own mpirun");
  emit(std::move(message));
}

// A script, or an interpreter, shows what it runs only when it does. Soon, and then less and less often: of those that
// have not joined the first one stands for all.
void LocalHost::look_for_other_mpi() {
  if (other_mpi_.told || ++other_mpi_.looks > last_mpi_look || !std::has_single_bit(other_mpi_.looks)) return;
  const auto first = std::ranges::find_if(processes_, [](const auto& one) { return one.running && !one.greeted; });
  if (first != processes_.end()) look_for_other_mpi(other_mpi_in(first->process));
}

void LocalHost::hear_doing(LocalProcess& process, const process::v1::FromProcess& message) {
  const process::v1::Doing& doing = message.doing();
  if (!makes_sense(doing, static_cast<Rank>(welcome_->welcome().ranks()))) {
    return refuse(process, "it said that it waits for what there is not");
  }
  const bool in_library = !doing.waits().empty();
  if (!stacks_wanted_ || in_library || doing.reason() != process::v1::Doing::ASKED || process.stack) {
    return tell_doing(process.pid, doing);
  }
  process.stack = std::make_unique<StackReader>(
      loop_, reaper_, warden_, doing.process(),
      [this, &process, answer = process::v1::Doing(doing)](std::string lines) mutable {
        const std::unique_ptr<StackReader> reader = std::move(process.stack);  // until this returns
        answer.set_stack(std::move(lines));
        tell_doing(process.pid, answer);
      });
}

void LocalHost::tell_doing(Pid pid, const process::v1::Doing& doing) {
  v1::FromHost message;
  message.mutable_does()->set_pid(pid);
  *message.mutable_does()->mutable_doing() = doing;
  emit(std::move(message));
}

}  // namespace cohort
