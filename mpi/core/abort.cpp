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

std::string this_process() {
  const detail::Runtime* const runtime = runtime_of_job();
  if (runtime == nullptr) return "a process";
  const Pid me = runtime->job().me;
  return fmt::format("rank {} ({})", me, runtime->job().address(me).host);
}

}  // namespace

void abort(Communicator& /*comm*/, int errorcode) {
  end_process(exit_status(errorcode), fmt::format("{} called MPI_Abort with the code {}", this_process(), errorcode));
}

void abort_job(int code, const std::string& text) {
  detail::Runtime* const runtime = runtime_of_job();
  if (runtime != nullptr && runtime->blame().names_another(text)) {
    runtime->tell_uncaught(text, true);
    end_process(quiet_status, {});
  }
  end_process(exit_status(code), fmt::format("{}: {}", this_process(), text));
}

void refuse_inactive(const char* call) {
  abort_job(abi::err_other, fmt::format("{} was called {}", call,
                                        stage == Stage::finalized ? "after MPI_Finalize" : "before MPI_Init"));
}

}  // namespace cohort::mpi
