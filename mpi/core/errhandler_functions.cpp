// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/errhandler_functions.hpp"

#include "mpi/core/errors.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

Errhandler* create(UserErrorHandler function, Errhandler::Of objects) {
  check(function.call != nullptr, abi::err_arg, "the function of the error handler is null");
  return new Errhandler(Errhandler::Action::call, function, objects);
}

}  // namespace

void comm_create_errhandler(UserErrorHandler function, Errhandler*& errhandler) {
  errhandler = create(function, Errhandler::Of::communicator);
}

void win_create_errhandler(UserErrorHandler function, Errhandler*& errhandler) {
  errhandler = create(function, Errhandler::Of::window);
}

void file_create_errhandler(UserErrorHandler function, Errhandler*& errhandler) {
  errhandler = create(function, Errhandler::Of::file);
}

void session_create_errhandler(UserErrorHandler function, Errhandler*& errhandler) {
  errhandler = create(function, Errhandler::Of::session);
}

void errhandler_free(Errhandler*& errhandler) { free_handle(errhandler); }

void comm_set_errhandler(Communicator& communicator, Errhandler& errhandler) {
  check(errhandler.of == Errhandler::Of::any || errhandler.of == Errhandler::Of::communicator, abi::err_arg,
        "the error handler was created for another kind of object than communicators");
  communicator.errhandler = Ref<Errhandler>(&errhandler);
}

void comm_get_errhandler(Communicator& communicator, Errhandler*& errhandler) {
  errhandler = handle_for_program(*communicator.errhandler);
}

void comm_call_errhandler(Communicator& communicator, int errorcode) {
  int known = 0;
  error_class(errorcode, known);  // throws if there is no such code
  handle_error(*communicator.errhandler, communicator, errorcode);
}

}  // namespace cohort::mpi
