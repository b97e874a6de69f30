// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/errhandler.hpp"

#include <fmt/format.h>

#include "mpi/core/communicator.hpp"
#include "mpi/core/environment.hpp"
#include "mpi/core/errors.hpp"

namespace cohort::mpi {
namespace {

std::string text_of(int code) {
  std::string text;
  error_string(code, text);
  return text.empty() ? fmt::format("error {}", code) : text;
}

}  // namespace

Errhandler& Errhandler::errors_are_fatal() {
  static Errhandler& handler = make_predefined<Errhandler>(Action::abort);
  return handler;
}

Errhandler& Errhandler::errors_abort() {
  static Errhandler& handler = make_predefined<Errhandler>(Action::abort_communicator);
  return handler;
}

Errhandler& Errhandler::errors_return() {
  static Errhandler& handler = make_predefined<Errhandler>(Action::give_back);
  return handler;
}

std::vector<Pid> Errhandler::ended_members(const Object& object) const {
  const auto* const communicator = dynamic_cast<const Communicator*>(&object);
  if (action != Action::abort_communicator || communicator == nullptr) return {};
  return communicator->members();
}

void handle_error(Errhandler& handler, Object& object, int code) {
  if (handler.action == Errhandler::Action::give_back) return;
  if (handler.action == Errhandler::Action::call) {
    const Ref<Errhandler> kept(&handler);  // the program's function may free it
    return handler.user.call(handler.user.function, object, code);
  }
  abort_job(code, text_of(code), handler.ended_members(object));
}

}  // namespace cohort::mpi
