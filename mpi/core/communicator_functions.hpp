// SPDX-License-Identifier: Apache-2.0
// Communicators: MPI's functions that make, compare and end them.
//
// A function that makes communicators is called by all members of the old one, unless it says otherwise. Only
// MPI_Comm_split and MPI_Comm_split_type, and the functions on intercommunicators, communicate.
#pragma once

#include "mpi/core/communicator.hpp"

namespace cohort::mpi {

class Request;

void comm_size(Communicator& comm, int& size);
void comm_rank(Communicator& comm, int& rank);
void comm_group(Communicator& comm, ProcessGroup*& group);
void comm_compare(Communicator& first, Communicator& second, int& result);

void comm_dup(Communicator& comm, Communicator*& newcomm);
void comm_dup_with_info(Communicator& comm, Info* info, Communicator*& newcomm);
void comm_idup(Communicator& comm, Communicator*& newcomm, Request*& request);
void comm_idup_with_info(Communicator& comm, Info* info, Communicator*& newcomm, Request*& request);
void comm_create(Communicator& comm, ProcessGroup& group, Communicator*& newcomm);
void comm_create_group(Communicator& comm, ProcessGroup& group, int tag, Communicator*& newcomm);  // by the group
void comm_split(Communicator& comm, int color, int key, Communicator*& newcomm);
void comm_split_type(Communicator& comm, int split_type, int key, Info* info, Communicator*& newcomm);

void comm_free(Communicator*& comm);
void comm_disconnect(Communicator*& comm);  // waits until no operation is in progress on it here

void comm_set_info(Communicator& comm, Info* info);
void comm_get_info(Communicator& comm, Info*& info_used);

// Intercommunicators.
void comm_test_inter(Communicator& comm, int& flag);
void comm_remote_size(Communicator& comm, int& size);
void comm_remote_group(Communicator& comm, ProcessGroup*& group);
// `peer_comm` and `remote_leader` count at the local leader only; elsewhere peer_comm may be null.
void intercomm_create(Communicator& local_comm, int local_leader, Communicator* peer_comm, int remote_leader, int tag,
                      Communicator*& newintercomm);
void intercomm_merge(Communicator& intercomm, int high, Communicator*& newintracomm);

void comm_get_parent(Communicator*& parent);  // null: no process is started by others

}  // namespace cohort::mpi
