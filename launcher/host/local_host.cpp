#include "launcher/host/local_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <csignal>
#include <utility>

#include "proto/control.pb.h"

namespace cohort {

namespace {
constexpr std::size_t output_window = 1u << 20;  // bytes that may be on their way to the launcher
constexpr auto quiet_limit = std::chrono::milliseconds(500);
}  // namespace

LocalHost::LocalHost(asio::io_context& loop, Reaper& reaper, Warden& warden, HostEvents& events, Settings settings)
    : loop_(loop),
      reaper_(reaper),
      warden_(warden),
      events_(events),
      settings_(std::move(settings)),
      faults_(loop, {[this](Pid pid) {
                       const LocalProcess* process = find(pid);
                       return process != nullptr && process->running;
                     },
                     [this](Pid pid, int number) { signal(*find(pid), number); },
                     [this](Pid pid, const InjectedFault& happened) { tell_injected(pid, happened); }}),
      spawn_errors_(loop),
      quiet_(loop),
      stall_timer_(loop) {}

LocalHost::~LocalHost() { kill_all(); }

void LocalHost::emit(v1::FromHost message) {
  asio::post(loop_,
             [this, message = std::move(message)]() mutable { events_.heard(settings_.number, std::move(message)); });
}

void LocalHost::tell(const v1::ToHost& message) {
  switch (message.body_case()) {
    case v1::ToHost::kStart:
      return start(message);
    case v1::ToHost::kTable: {
      process::v1::ToProcess table;
      *table.mutable_table() = message.table();
      begin_faults();
      return tell_processes(table);
    }
    case v1::ToHost::kFailure: {
      process::v1::ToProcess failure;
      *failure.mutable_failure() = message.failure();
      failures_.push_back(make_frame(failure));
      return tell_processes(failure);
    }
    case v1::ToHost::kAllLeft: {
      process::v1::ToProcess all_left;
      all_left.mutable_all_left();
      return tell_processes(all_left);
    }
    case v1::ToHost::kSurvivors: {
      process::v1::ToProcess survivors;
      *survivors.mutable_survivors() = message.survivors();
      return tell_processes(survivors);
    }
    case v1::ToHost::kDeadlock: {
      process::v1::ToProcess deadlock;
      *deadlock.mutable_deadlock() = message.deadlock();
      return tell_processes(deadlock);
    }
    case v1::ToHost::kSignal:
      return signal(message.signal().number());
    case v1::ToHost::kKill:
      if (LocalProcess* process = find(message.kill().pid())) signal(*process, SIGKILL);
      return;
    case v1::ToHost::kInput:
      if (input_) input_->push(message.input().data());
      return;
    case v1::ToHost::kOutputTaken:
      return output_taken(message.output_taken().bytes());
    case v1::ToHost::kBeMeasured:
      return be_measured(message);
    case v1::ToHost::kMeasure:
      return measure(message);
    case v1::ToHost::kAsk:
      return ask(message);
    case v1::ToHost::kInject:
      return inject(message.inject());
    case v1::ToHost::kFinish:
      return finish();
    case v1::ToHost::kBeat: {
      if (message.beat().question() == 0) return;
      for (LocalProcess& process : processes_) look_at(process);
      reaper_.reap();
      v1::FromHost answer;
      *answer.mutable_beat() = message.beat();
      return emit(std::move(answer));
    }
    case v1::ToHost::BODY_NOT_SET:
      return;
  }
}

// --- what they write

LineReader::Handler LocalHost::lines_of(Pid pid, bool error) {
  return {[this, pid, error](std::string block) {
            unacknowledged_ += block.size();
            v1::FromHost message;
            message.mutable_output()->set_pid(pid);
            message.mutable_output()->set_error(error);
            message.mutable_output()->set_data(std::move(block));
            emit(std::move(message));
          },
          [this] { return unacknowledged_ < output_window; }, [this] { finish_if_quiet(); }};
}

void LocalHost::output_taken(std::uint64_t bytes) {
  const bool was_full = unacknowledged_ >= output_window;
  unacknowledged_ -= std::min<std::uint64_t>(bytes, unacknowledged_);
  if (!was_full || unacknowledged_ >= output_window) return;
  for (LocalProcess& process : processes_) {
    if (process.output) process.output->resume();
    if (process.error) process.error->resume();
  }
}

// --- the end

void LocalHost::ended(LocalProcess& process, int wait_status) {
  process.running = false;
  const std::vector<pid_t> were{process.member(), process.process};
  process.link->read();
  process.link->close();
  read_spawn_errors();
  if (process.pid == 0 && input_) input_->close();
  forget_if_gone(process);
  v1::FromHost report;
  report.mutable_ended()->set_pid(process.pid);
  report.mutable_ended()->set_wait_status(wait_status);
  report.mutable_ended()->set_out_of_memory(process.out_of_memory || memory_deaths_->explain(wait_status, were));
  emit(std::move(report));
  finish_if_quiet();
}

// Where nothing of its group is left, the number may be given to others.
void LocalHost::forget_if_gone(LocalProcess& process) {
  if (process.process <= 0 || ::kill(-process.process, 0) == 0) return;
  warden_.forget(process.process);
  process.process = -1;
}

void LocalHost::signal(int number) {
  for (LocalProcess& process : processes_) signal(process, number);
  if (number == SIGCONT) suspended_ = false;
  if (number != SIGSTOP) return;
  suspended_ = true;
  v1::FromHost message;
  message.mutable_suspended();
  emit(std::move(message));
}

// Who has joined may have a group, or a session, of its own. It goes on before a shell that waits for it does: that one
// is not to find it stopped, or to have anything left to do when it is killed.
void LocalHost::signal(LocalProcess& process, int number) {
  const auto to_member = [&] {
    if (!process.member_end || ::getpgid(process.joined_as) == process.process) return;
    orphans_->signal(process.member_end->native_handle(), process.joined_as, number);
  };
  if (number == SIGCONT) to_member();
  if (process.process > 0) ::kill(-process.process, number);
  if (number != SIGCONT) to_member();
}

void LocalHost::kill_all() {
  signal(SIGKILL);
  if (orphans_) orphans_->end();
}

void LocalHost::finish() {
  if (end_ != End::none) return;
  end_ = End::wanted;
  kill_all();
  finish_if_quiet();
}

// What nobody knows, or can kill, may hold a pipe open for ever: it is not waited for longer than it is quiet.
void LocalHost::finish_if_quiet() {
  if (end_ != End::wanted) return;
  bool open = false;
  for (const LocalProcess& process : processes_) {
    if (process.running) return;
    open = open || (process.output && process.output->open()) || (process.error && process.error->open());
  }
  if (open) {
    quiet_.begin(quiet_limit, [this, before = unacknowledged_] {
      if (unacknowledged_ != 0 || before != 0) return finish_if_quiet();  // the launcher is still writing
      for (LocalProcess& process : processes_) {
        if (process.output) process.output->close();
        if (process.error) process.error->close();
      }
    });
    return;
  }
  end_ = End::reported;
  quiet_.cancel();
  for (LocalProcess& process : processes_) {
    if (process.process > 0) warden_.forget(process.process);
    process.process = -1;
  }
  v1::FromHost report;
  report.mutable_finished();
  emit(std::move(report));
}

}  // namespace cohort
