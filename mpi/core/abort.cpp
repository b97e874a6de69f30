// SPDX-License-Identifier: Apache-2.0
// How this process ends its job.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "mpi/core/environment.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::mpi {
namespace {

constexpr int quiet_status = 128 + SIGABRT;  // as of a program of Cohort's own interface with an uncaught error

// Fortran's units have buffers of their own.
void flush_output() {
  if (void* const flush_units = ::dlsym(RTLD_DEFAULT, "_gfortran_flush_i4"))
    reinterpret_cast<void (*)(const int*)>(flush_units)(nullptr);
  std::fflush(stdout);
  std::fflush(stderr);
}

// Leaves out destructors and handlers at exit: they may wait for threads or for other processes.
[[noreturn]] void end_process(int status, const std::string& last_words) {
  flush_output();
  if (!last_words.empty()) {
    fmt::print(stderr, "cohort: {}\n", last_words);
    std::fflush(stderr);
  }
  ::_exit(status);
}

int exit_status(int code) { return (code & 0xff) != 0 ? code & 0xff : 1; }

detail::Runtime* runtime_of_job() {
  const Communicator* const world = world_or_null();
  return world != nullptr ? &detail::state_of(world->all)->runtime() : nullptr;
}

// Of the first process that this one knows to be lost.
bool first_lost_ended_itself() {
  const detail::GroupState& state = *detail::state_of(Communicator::world().all);
  const detail::Runtime::Lock lock(state.runtime());
  const FaultPointer& fault = state.fault();
  return fault != nullptr && fault->failure != nullptr && fault->failure->cause == FailureCause::exit;
}

std::string this_process() {
  const detail::Runtime* const runtime = runtime_of_job();
  if (runtime == nullptr) return "a process";
  const Pid me = runtime->job().me;
  return fmt::format("rank {} ({})", me, runtime->job().address(me).host);
}

}  // namespace

void abort(Communicator& comm, int errorcode) {
  const std::string words = fmt::format("{} called MPI_Abort with the code {}", this_process(), errorcode);
  if (detail::Runtime* const runtime = runtime_of_job()) runtime->tell_abort(words, comm.members());
  end_process(exit_status(errorcode), words);
}

void abort_job(int code, const std::string& text, const std::vector<Pid>& members) {
  detail::Runtime* const runtime = runtime_of_job();
  const std::string words = fmt::format("{}: {}", this_process(), text);
  if (runtime != nullptr && runtime->blame().names_another(text)) {
    runtime->tell_uncaught(text, true);
    // Of a job that a death ends, the launcher names the dead process only, not the calls that waited for it. A process
    // that has ended itself, by MPI_Abort for example, has told why: the calls of all others add nothing.
    const bool only_here = code == abi::err_proc_failed && !runtime->job().goes_on && !first_lost_ended_itself();
    end_process(quiet_status, only_here ? words : std::string());
  }
  if (runtime != nullptr) runtime->tell_abort(words, members);
  end_process(exit_status(code), words);
}

void refuse_inactive(const char* call) {
  abort_job(abi::err_other, fmt::format("{} was called {}", call,
                                        stage == Stage::finalized ? "after MPI_Finalize" : "before MPI_Init"));
}

}  // namespace cohort::mpi
