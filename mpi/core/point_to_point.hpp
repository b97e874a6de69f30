// SPDX-License-Identifier: Apache-2.0
// MPI's point-to-point communication: sends, receives, persistent requests, probes, and the memory of buffered sends.
// Requests are completed by the functions of completion.hpp.
#pragma once

#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/message.hpp"
#include "mpi/core/request.hpp"
#include "mpi/core/send_buffer.hpp"
#include "mpi/core/status.hpp"

namespace cohort::mpi {

// The tag's upper bound, MPI_TAG_UB.
inline constexpr int largest_tag = 2147483647;

void send(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm);
void bsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm);
void ssend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm);
void rsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm);
void recv(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Status* status);

void isend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void ibsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void issend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void irsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void irecv(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Request*& request);

void send_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void bsend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void ssend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void rsend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request);
void recv_init(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Request*& request);

void sendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf,
              Count recvcount, Datatype& recvtype, int source, int recvtag, Communicator& comm, Status* status);
void sendrecv_replace(void* buf, Count count, Datatype& type, int dest, int sendtag, int source, int recvtag,
                      Communicator& comm, Status* status);
void isendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf,
               Count recvcount, Datatype& recvtype, int source, int recvtag, Communicator& comm, Request*& request);
void isendrecv_replace(void* buf, Count count, Datatype& type, int dest, int sendtag, int source, int recvtag,
                       Communicator& comm, Request*& request);

void probe(int source, int tag, Communicator& comm, Status* status);
void iprobe(int source, int tag, Communicator& comm, int& flag, Status* status);
void mprobe(int source, int tag, Communicator& comm, Message*& message, Status* status);
void improbe(int source, int tag, Communicator& comm, int& flag, Message*& message, Status* status);
void mrecv(void* buf, Count count, Datatype& type, Message*& message, Status* status);
void imrecv(void* buf, Count count, Datatype& type, Message*& message, Request*& request);

// Detaching and flushing block until the buffer's messages have left. Detaching where no buffer is attached gives a
// null pointer.
void buffer_attach(void* buffer, Count size);
void buffer_detach(void*& buffer, Count& size);
void buffer_flush();
void buffer_iflush(Request*& request);
void comm_attach_buffer(Communicator& comm, void* buffer, Count size);
void comm_detach_buffer(Communicator& comm, void*& buffer, Count& size);
void comm_flush_buffer(Communicator& comm);
void comm_iflush_buffer(Communicator& comm, Request*& request);

}  // namespace cohort::mpi
