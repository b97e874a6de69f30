#include "launcher/host/local_host.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "launcher/host/cores.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/spawn.hpp"
#include "launcher/network/typical_network.hpp"
#include "proto/control.pb.h"
#include "runtime/control/ports_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {
constexpr std::size_t output_window = 1u << 20;  // bytes that may be on their way to the launcher
constexpr auto quiet_limit = std::chrono::milliseconds(500);

struct Ends {
  int ours;
  int theirs;
};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// `ours` is non-blocking; both close on exec.
Ends make_pipe(bool we_read) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  const Ends result = we_read ? Ends{ends[0], ends[1]} : Ends{ends[1], ends[0]};
  ::fcntl(result.ours, F_SETFL, O_NONBLOCK);
  return result;
}

Ends make_link() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) fail("socketpair");
  return {ends[0], ends[1]};
}

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

// --- starting

void LocalHost::start(const v1::ToHost& message) {
  const v1::Start& job = message.start();
  program_ = job.program();
  stall_limit_s_ = job.stall_limit();
  watch_for_stalls();
  welcome_ = std::make_unique<process::v1::ToProcess>();
  process::v1::Welcome& welcome = *welcome_->mutable_welcome();
  welcome.set_job(job.job());
  welcome.set_secret(job.secret());
  welcome.set_ranks(job.ranks());
  welcome.mutable_listen_at()->set_ip(settings_.listen_at.ip);
  write(settings_.listen_at.ports, *welcome.mutable_listen_at()->mutable_ports());
  welcome.set_processes_on_host(job.count());
  welcome.set_cores(usable_cores());
  welcome.set_barrier(job.barrier());
  welcome.set_develop(job.develop());
  welcome.set_progress_thread(job.progress_thread());
  welcome.set_record(job.record());
  welcome.set_replay(job.replay());
  replay_ = {job.took().begin(), job.took().end()};
  welcome.set_patience(job.patience());
  welcome.set_stacks(job.stacks());
  welcome.set_goes_on(job.goes_on());
  welcome.set_host_limit(job.host_limit());
  *welcome.mutable_tuning() = job.tuning();
  *welcome.mutable_faults() = job.faults();
  if (!job.tuning().has_within_host()) {
    write(typical_within_host(welcome.processes_on_host(), welcome.cores()),
          *welcome.mutable_tuning()->mutable_within_host());
  }

  SpawnOrder order;
  order.environment = environment_with({job.environment().begin(), job.environment().end()});
  warden_.know(job.job());
  orphans_.emplace(job.job()).mark(order.environment);
  const ProgramFile file = find_program(job.program(), job.directory(), value_of("PATH", order.environment));
  if (file.path.empty()) return refuse_start(file.status, "cannot run '" + program_ + "': " + file.reason);
  order.path = file.path;
  order.arguments.push_back(job.program());
  order.arguments.insert(order.arguments.end(), job.arguments().begin(), job.arguments().end());
  order.directory = job.directory();
  order.warden = warden_.descriptor();
  order.descriptors = raise_descriptor_limit();
  // The control link's variable, for each process its own; that of a job around this one is not for it.
  std::erase_if(order.environment,
                [](const std::string& entry) { return entry.starts_with(std::string(control_variable) + "="); });
  order.environment.emplace_back();

  const Ends errors = make_pipe(/*we_read=*/true);
  const int null_input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  order.errors = errors.theirs;
  hear_spawn_errors(errors.ours);
  const RaisedMemoryScore raised;
  for (int i = 0; i < job.count(); ++i) {
    LocalProcess& process = processes_.emplace_back();
    process.pid = job.first_pid() + i;
    try {
      start_process(order, process, null_input);
    } catch (const std::system_error& error) {
      refuse_start(126, "cannot start rank " + std::to_string(process.pid) + ": " + error.what());
      break;
    }
  }
  ::close(errors.theirs);
  ::close(null_input);
}

void LocalHost::start_process(SpawnOrder& order, LocalProcess& process, int null_input) {
  const Ends link = make_link();
  process.link.emplace(
      loop_.get_executor(), link.ours,
      ProcessLink::Handler{
          [this, &process](const process::v1::FromProcess& message) { hear(process, message); },
          [this, &process](const std::string& reason) { refuse(process, "its control link carried " + reason); },
          [this, &process] { closed(process); }});
  const Ends output = make_pipe(/*we_read=*/true);
  process.output.emplace(loop_.get_executor(), output.ours, lines_of(process.pid, false));
  const Ends error = make_pipe(/*we_read=*/true);
  process.error.emplace(loop_.get_executor(), error.ours, lines_of(process.pid, true));

  order.input = null_input;
  if (process.pid == 0) {
    const Ends input = make_pipe(/*we_read=*/false);
    order.input = input.theirs;
    input_.emplace(loop_.get_executor(), input.ours, [this](std::size_t bytes, bool closed) {
      v1::FromHost message;
      message.mutable_input_taken()->set_bytes(bytes);
      message.mutable_input_taken()->set_closed(closed);
      emit(std::move(message));
    });
  }
  order.output = output.theirs;
  order.error = error.theirs;
  order.kept = link.theirs;
  order.number = process.pid;
  order.environment.back() = std::string(control_variable) + "=" + std::to_string(link.theirs);
  process.process = spawn(order);
  process.running = true;
  if (order.input != null_input) ::close(order.input);
  for (const int descriptor : {output.theirs, error.theirs, link.theirs}) ::close(descriptor);

  reaper_.watch(process.process, [this, &process](int wait_status) { ended(process, wait_status); });
  process.link->start();
  process.output->start();
  process.error->start();
  v1::FromHost message;
  message.mutable_started()->set_pid(process.pid);
  message.mutable_started()->set_process(process.process);
  emit(std::move(message));
}

void LocalHost::refuse_start(int status, const std::string& reason) {
  v1::FromHost message;
  message.mutable_not_started()->set_status(status);
  message.mutable_not_started()->set_reason(reason);
  emit(std::move(message));
}

void LocalHost::hear_spawn_errors(int descriptor) {
  spawn_errors_.assign(descriptor);
  spawn_errors_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (!error) read_spawn_errors();
  });
}

// Called when the pipe has something (or its end, when all have executed), and before an ending is told: a child that
// could not execute has said so before it ended. One record tells enough.
void LocalHost::read_spawn_errors() {
  if (!spawn_errors_.is_open()) return;
  SpawnError record{};
  const ssize_t got = ::read(spawn_errors_.native_handle(), &record, sizeof record);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  asio::error_code ignored;
  spawn_errors_.close(ignored);
  if (got != static_cast<ssize_t>(sizeof record)) return;
  const std::string what =
      record.directory ? "cannot enter the directory that the job was started in" : "cannot run '" + program_ + "'";
  refuse_start(!record.directory && record.error == ENOENT ? 127 : 126, what + ": " + std::strerror(record.error));
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
  process.link->read();
  process.link->close();
  read_spawn_errors();
  if (process.pid == 0 && input_) input_->close();
  forget_if_gone(process);
  v1::FromHost report;
  report.mutable_ended()->set_pid(process.pid);
  report.mutable_ended()->set_wait_status(wait_status);
  report.mutable_ended()->set_out_of_memory(memory_deaths_.explain(wait_status));
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
  if (std::exchange(finishing_, true)) return;
  kill_all();
  finish_if_quiet();
}

// What nobody knows, or can kill, may hold a pipe open for ever: it is not waited for longer than it is quiet.
void LocalHost::finish_if_quiet() {
  if (!finishing_ || finished_) return;
  bool open = false;
  for (const LocalProcess& process : processes_) {
    if (process.running) return;
    open = open || (process.output && process.output->open()) || (process.error && process.error->open());
  }
  if (open) {
    quiet_.expires_after(quiet_limit);
    quiet_.async_wait([this, before = unacknowledged_](const asio::error_code& error) {
      if (error || finished_) return;
      if (unacknowledged_ != 0 || before != 0) return finish_if_quiet();  // the launcher is still writing
      for (LocalProcess& process : processes_) {
        if (process.output) process.output->close();
        if (process.error) process.error->close();
      }
    });
    return;
  }
  finished_ = true;
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
