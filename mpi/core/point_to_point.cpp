// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/point_to_point.hpp"

#include "mpi/core/detached_requests.hpp"
#include "mpi/core/messages.hpp"

namespace cohort::mpi {
namespace {

using Mode = Sending::Mode;

void perform(const Sending& sending) {
  sending.check();
  sending.perform();
}

// `Message`: a Receiving or an Exchanging.
template <class Message>
void receive(const Message& message, Status* status) {
  message.check();
  message.perform(status);
  DetachedRequests::of_process().reap();  // a freed receive of an earlier message has to be complete now
}

// `Message`: any of the three.
template <class Message>
void start(const Message& message, Communicator& comm, Request*& request) {
  message.check();
  Ref<Request> started = Ref<Request>::adopt(new Request(&comm));
  message.start(*started);
  request = started.leak();
}

template <class Message>
void prepare(const Message& message, Communicator& comm, Request*& request) {
  message.check();
  request = new Request(&comm);
  request->persistent = true;
  request->active = false;
  request->begin = [message, type = Ref(message.data.type)](Request& starting) { message.start(starting); };
}

}  // namespace

void send(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm) {
  perform(Sending{"MPI_Send", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm});
}
void bsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm) {
  perform(Sending{"MPI_Bsend", Mode::buffered, data_at(buf, count, &type, "buf"), dest, tag, comm});
}
void ssend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm) {
  perform(Sending{"MPI_Ssend", Mode::synchronous, data_at(buf, count, &type, "buf"), dest, tag, comm});
}
void rsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm) {
  perform(Sending{"MPI_Rsend", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm});
}
void recv(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Status* status) {
  receive(Receiving{{"MPI_Recv", source, tag, comm}, data_at(buf, count, &type, "buf")}, status);
}

void isend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request) {
  start(Sending{"MPI_Isend", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void ibsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request) {
  start(Sending{"MPI_Ibsend", Mode::buffered, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void issend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request) {
  start(Sending{"MPI_Issend", Mode::synchronous, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void irsend(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request) {
  start(Sending{"MPI_Irsend", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void irecv(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Request*& request) {
  start(Receiving{{"MPI_Irecv", source, tag, comm}, data_at(buf, count, &type, "buf")}, comm, request);
}

void send_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm, Request*& request) {
  prepare(Sending{"MPI_Send_init", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void bsend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm,
                Request*& request) {
  prepare(Sending{"MPI_Bsend_init", Mode::buffered, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void ssend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm,
                Request*& request) {
  prepare(Sending{"MPI_Ssend_init", Mode::synchronous, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm,
          request);
}
void rsend_init(const void* buf, Count count, Datatype& type, int dest, int tag, Communicator& comm,
                Request*& request) {
  prepare(Sending{"MPI_Rsend_init", Mode::standard, data_at(buf, count, &type, "buf"), dest, tag, comm}, comm, request);
}
void recv_init(void* buf, Count count, Datatype& type, int source, int tag, Communicator& comm, Request*& request) {
  prepare(Receiving{{"MPI_Recv_init", source, tag, comm}, data_at(buf, count, &type, "buf")}, comm, request);
}

namespace {

// Of a call that sends and receives.
struct Ends {
  const char* name;
  int dest, sendtag;
  int source, recvtag;
  Communicator& comm;

  Exchanging of(const Data& sent, const Data& received) const {
    return {{name, Mode::standard, sent, dest, sendtag, comm}, {{name, source, recvtag, comm}, received}, false};
  }
  Exchanging replacing(const Data& data) const {
    Exchanging exchanging = of(data, data);
    exchanging.replaces = true;
    return exchanging;
  }
};

}  // namespace

void sendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf,
              Count recvcount, Datatype& recvtype, int source, int recvtag, Communicator& comm, Status* status) {
  const Ends ends{"MPI_Sendrecv", dest, sendtag, source, recvtag, comm};
  receive(ends.of(data_at(sendbuf, sendcount, &sendtype, "sendbuf"), data_at(recvbuf, recvcount, &recvtype, "recvbuf")),
          status);
}
void sendrecv_replace(void* buf, Count count, Datatype& type, int dest, int sendtag, int source, int recvtag,
                      Communicator& comm, Status* status) {
  const Ends ends{"MPI_Sendrecv_replace", dest, sendtag, source, recvtag, comm};
  receive(ends.replacing(data_at(buf, count, &type, "buf")), status);
}
void isendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf,
               Count recvcount, Datatype& recvtype, int source, int recvtag, Communicator& comm, Request*& request) {
  const Ends ends{"MPI_Isendrecv", dest, sendtag, source, recvtag, comm};
  start(ends.of(data_at(sendbuf, sendcount, &sendtype, "sendbuf"), data_at(recvbuf, recvcount, &recvtype, "recvbuf")),
        comm, request);
}
void isendrecv_replace(void* buf, Count count, Datatype& type, int dest, int sendtag, int source, int recvtag,
                       Communicator& comm, Request*& request) {
  const Ends ends{"MPI_Isendrecv_replace", dest, sendtag, source, recvtag, comm};
  start(ends.replacing(data_at(buf, count, &type, "buf")), comm, request);
}

}  // namespace cohort::mpi
