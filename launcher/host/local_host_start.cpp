// One host's part in starting its processes: the program, what each of them is told, and why one could not be started.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include "launcher/host/cores.hpp"
#include "launcher/host/local_host.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/other_mpi.hpp"
#include "launcher/host/place.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/spawn.hpp"
#include "launcher/network/typical_network.hpp"
#include "launcher/printable.hpp"
#include "proto/control.pb.h"
#include "runtime/control/ports_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

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

void LocalHost::prepare_welcome(const v1::Start& job) {
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
  welcome.set_synchronous(job.synchronous());
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
}

void LocalHost::start(const v1::ToHost& message) {
  const v1::Start& job = message.start();
  program_ = on_one_line(job.program());
  stall_limit_s_ = job.stall_limit();
  memory_deaths_.emplace();
  watch_for_stalls();
  prepare_welcome(job);

  SpawnOrder order;
  order.environment = environment_with({job.environment().begin(), job.environment().end()});
  warden_.know(job.job());
  orphans_.emplace(job.job()).mark(order.environment);
  const ProgramFile file = find_program(job.program(), job.directory(), value_of("PATH", order.environment));
  if (file.path.empty()) return refuse_start(file.status, "cannot run '" + program_ + "': " + file.reason);
  look_for_other_mpi(other_mpi_of(file.path));
  order.path = file.path;
  order.arguments.push_back(job.program());
  order.arguments.insert(order.arguments.end(), job.arguments().begin(), job.arguments().end());
  order.directory = job.directory();
  order.warden = warden_.descriptor();
  order.descriptors = raise_descriptor_limit();
  order.signals = read(job.signals());
  // Each process gets its own of these; those of a job around this one are not for it.
  std::erase_if(order.environment, [](const std::string& entry) {
    const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
    return name == control_variable || tells_the_place(name);
  });
  const std::size_t for_all = order.environment.size();
  Place place{.ranks = job.ranks(),
              .local_ranks = job.count(),
              .host = settings_.name,
              .host_number = settings_.number,
              .job = job.job()};

  const Ends errors = make_pipe(/*we_read=*/true);
  const int null_input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  order.errors = errors.theirs;
  hear_spawn_errors(errors.ours);
  const RaisedMemoryScore raised;
  for (int i = 0; i < job.count(); ++i) {
    LocalProcess& process = processes_.emplace_back();
    process.pid = job.first_pid() + i;
    place.rank = process.pid;
    place.local_rank = i;
    order.environment.resize(for_all);
    std::ranges::move(variables_of(place), std::back_inserter(order.environment));
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
          [this, &process] { closed(process, /*ended=*/false); }});
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
  order.environment.push_back(std::string(control_variable) + "=" + std::to_string(link.theirs));
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

}  // namespace cohort
