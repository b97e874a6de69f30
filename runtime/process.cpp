// SPDX-License-Identifier: Apache-2.0
// Joining and leaving a job.
#include "cohort/process.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/control/control_link.hpp"
#include "runtime/develop/develop_mode.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/groups/new_group.hpp"
#include "runtime/inert.hpp"
#include "runtime/other_launcher.hpp"
#include "runtime/random_number.hpp"
#include "runtime/runtime.hpp"
#include "runtime/transport/memory/memory_transport.hpp"
#include "runtime/uncaught.hpp"
#include "runtime/ways.hpp"

namespace cohort {

Process::Process(detail::Shared<detail::Runtime> runtime)
    : runtime_(std::move(runtime)),
      all_(detail::make_own<detail::GroupState>(runtime_, GroupId{}, Members::range(0, 1, size()), pid(), 0)) {}
Process::Process(Process&&) noexcept = default;

// While an exception passes, the destructor waits for nobody: the launcher learns from the way in which the process
// ends.
Process::~Process() {
  if (!runtime_ || std::uncaught_exceptions() > 0) return;
  if (detail::is_inert()) {
    runtime_->tell_of_longjmp(__builtin_frame_address(0));
    return;
  }
  try {
    leave(Where{});
  } catch (const std::exception& error) {
    runtime_->confess(error.what());
  }
}

Pid Process::pid() const { return runtime_->job().me; }
Pid Process::size() const { return runtime_->job().ranks(); }
std::string Process::host() const { return runtime_->job().address(pid()).host; }
bool Process::barrier() const { return runtime_->job().barrier; }
bool Process::develop() const { return runtime_->job().develop; }
bool Process::progress_thread() const { return runtime_->job().progress_thread; }
Group Process::all() const { return Group(all_); }

Group Process::group(std::span<const Pid> list, std::int64_t label, Where where) const {
  return Group(detail::new_group(runtime_, list, label, where));
}

void Process::leave(Where where) {
  std::exception_ptr mistake;
  try {
    runtime_->mode().leave(all_, where);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::mismatch) mistake = std::current_exception();  // other errors show in any mode
  }
  runtime_->leave();
  if (mistake) std::rethrow_exception(mistake);
}

namespace {

std::shared_ptr<detail::Runtime> make_runtime(Job job, std::unique_ptr<Transport> transport,
                                              std::unique_ptr<ControlLink> control) {
  const Pid me = job.me;
  detail::tell_forks_apart("pid " + std::to_string(me) + " (process " + std::to_string(::getpid()) + ", " +
                           job.address(me).host + ")");
  std::unique_ptr<detail::Mode> mode = detail::mode_for(job);
  auto runtime =
      detail::make_own<detail::Runtime>(std::move(job), std::move(transport), std::move(control), std::move(mode));
  detail::tell_uncaught_by(runtime);
  return runtime;
}

std::shared_ptr<detail::Runtime> job_of_one() {
  Job job;
  job.processes[0].host = "localhost";
  return make_runtime(std::move(job), std::move(make_memory_transports(1).front()), nullptr);
}

Process join(const std::function<void(Job&)>& adapt) {
  if (detail::is_fork()) detail::refuse_fork();
  static std::atomic<bool> joined = false;
  if (joined.exchange(true)) throw Error(ErrorCode::job, "join: it was called before in this process");
  detail::end_quietly_as_bystander();
  std::unique_ptr<ControlLink> control = ControlLink::inherited();
  if (!control) {
    if (const auto warning = warning_of_other_launcher())
      std::fprintf(stderr, "cohort: warning: %s\n", warning->c_str());
    return Process(job_of_one());
  }
  try {
    std::string failure;
    std::shared_ptr<HostMemory> memory = memory_from(*control, failure);  // first: it may give descriptors back
    TcpListener listener(control->listen_at());
    Job job = control->join(listener.port(), random_number(), {memory != nullptr, failure});
    adapt(job);
    std::unique_ptr<Transport> transport = make_ways(job, std::move(listener), std::move(memory));
    return Process(make_runtime(std::move(job), std::move(transport), std::move(control)));
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::job, std::string("joining the job: ") + error.what());
  }
}

}  // namespace

Process join() {
  return join([](Job&) {});
}

Process detail::join_without_barriers() {
  return join([](Job& job) { job.barrier = false; });
}

}  // namespace cohort
