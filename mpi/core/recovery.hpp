// SPDX-License-Identifier: Apache-2.0
// After the death of members, in a job that goes on (cohort run --on-failure continue): the MPIX_ functions.
//
// A death ends all operations on the communicators of the dead process with MPIX_ERR_PROC_FAILED, also those between
// living members. The functions here work all the same. All living members call MPIX_Comm_shrink and MPIX_Comm_agree,
// also those that have not seen an error.
#pragma once

#include "mpi/core/communicator.hpp"

namespace cohort::mpi {

// All operations on the communicator that are in progress, and all later ones, fail with MPIX_ERR_REVOKED, at all
// members. One member calls it.
void comm_revoke(Communicator& comm);
void comm_is_revoked(Communicator& comm, int& flag);

// A communicator over the living members, in the old order. Of an intercommunicator: of both sides; null if no process
// of one side lives.
void comm_shrink(Communicator& comm, Communicator*& newcomm);

// The bitwise and of the flags of the living members: the same value at all of them, and the same error. Throws
// Mistake(err_proc_failed), after `flag` is set, unless all of them have acknowledged all losses.
void comm_agree(Communicator& comm, int& flag);

void comm_failure_ack(Communicator& comm);  // acknowledges the losses that this process knows
void comm_failure_get_acked(Communicator& comm, ProcessGroup*& failedgrp);

}  // namespace cohort::mpi
