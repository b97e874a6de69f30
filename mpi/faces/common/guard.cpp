// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/common/guard.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>

#include "mpi/core/completion.hpp"
#include "mpi/core/errhandler.hpp"
#include "mpi/core/errors.hpp"

namespace cohort::mpi::faces {
namespace {

// MPI 3 calls MPI_COMM_WORLD's handler for errors that belong to no communicator, MPI 4 calls MPI_COMM_SELF's. A
// program that has changed one of them means that one.
Communicator& default_communicator() {
  Communicator& self = Communicator::self();
  return self.errhandler.get() != &Errhandler::errors_are_fatal() ? self : Communicator::world();
}

bool aborts(const Errhandler& handler) {
  return handler.action == Errhandler::Action::abort || handler.action == Errhandler::Action::abort_communicator;
}

// Completing requests tells whose error it is; the request is no more.
Ref<Communicator> communicator_of(const std::exception_ptr& error, Communicator* on) {
  try {
    std::rethrow_exception(error);
  } catch (const RequestMistake& mistake) {
    return Ref<Communicator>(mistake.communicator());
  } catch (...) {
    return Ref<Communicator>(on);
  }
}

}  // namespace

int failed(const char* name, Communicator* on) {
  const std::exception_ptr error = std::current_exception();
  const int code = code_of(error);
  const std::string text = fmt::format("{}: {}", name, text_of(error));
  if (!is_active()) abort_job(code, text);

  Ref<Communicator> of = communicator_of(error, on);
  if (!of) of = Ref<Communicator>(&default_communicator());
  const Ref<Errhandler> handler = of->errhandler;
  if (aborts(*handler)) abort_job(code, text, handler->ended_members(*of));
  remember(code, fmt::format("rank {}: {}", Communicator::world().rank, text));
  handle_error(*handler, *of, code);
  return code;
}

void refuse_missing(const char* chapter) {
  throw Mistake(abi::err_unsupported_operation, fmt::format("not yet in Cohort ({})", chapter));
}

int missing_in_files(const char* name) {
  static std::atomic<bool> told = false;
  const std::string text = fmt::format("rank {}: {}: not yet in Cohort (files)", Communicator::world().rank, name);
  remember(abi::err_unsupported_operation, text);
  if (!told.exchange(true)) fmt::print(stderr, "{}\n", text);
  return abi::err_unsupported_operation;
}

}  // namespace cohort::mpi::faces
