// SPDX-License-Identifier: Apache-2.0
// MPI's functions for error handlers, and their names of MPI 1.
#pragma once

#include "mpi/core/communicator.hpp"
#include "mpi/core/errhandler.hpp"

namespace cohort::mpi {

void comm_create_errhandler(UserErrorHandler function, Errhandler*& errhandler);
void win_create_errhandler(UserErrorHandler function, Errhandler*& errhandler);
void file_create_errhandler(UserErrorHandler function, Errhandler*& errhandler);
void session_create_errhandler(UserErrorHandler function, Errhandler*& errhandler);
void errhandler_free(Errhandler*& errhandler);

void comm_set_errhandler(Communicator& communicator, Errhandler& errhandler);
void comm_get_errhandler(Communicator& communicator, Errhandler*& errhandler);
void comm_call_errhandler(Communicator& communicator, int errorcode);

inline void errhandler_create(UserErrorHandler function, Errhandler*& errhandler) {
  comm_create_errhandler(function, errhandler);
}
inline void errhandler_set(Communicator& communicator, Errhandler& errhandler) {
  comm_set_errhandler(communicator, errhandler);
}
inline void errhandler_get(Communicator& communicator, Errhandler*& errhandler) {
  comm_get_errhandler(communicator, errhandler);
}

}  // namespace cohort::mpi
