// SPDX-License-Identifier: Apache-2.0
// Probes, and receives of the messages that matched probes have taken.
#include <utility>

#include "mpi/core/messages.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/point_to_point.hpp"

namespace cohort::mpi {
namespace {

// A message from the null process is always there.
void state_null_process(Message*& message, Status* status) {
  message = &Message::of_null_process();
  report(Status::of_null_process(), status);
}

void state_taken(const Wanted& wanted, detail::MatchedMessage taken, Message*& message, Status* status) {
  report(wanted.status_of({taken.source(), taken.bytes(), taken.tag()}), status);
  message = new Message(&wanted.communicator, std::move(taken));
}

void check_message(const Message* message) {
  check(message != nullptr, abi::err_request, "the message is MPI_MESSAGE_NULL");
}

// The receive of a taken message.
Receiving receiving(const char* name, const Data& data, const Message& message) {
  const detail::MatchedMessage& taken = *message.matched;
  Communicator& comm = *message.communicator;
  return {{name, comm.from_runtime(taken.source()), static_cast<int>(taken.tag()), comm}, data};
}

}  // namespace

void probe(int source, int tag, Communicator& comm, Status* status) {
  const Wanted wanted{"MPI_Probe", source, tag, comm};
  wanted.check();
  if (wanted.of_null_process()) return report(Status::of_null_process(), status);
  report(wanted.status_of(detail::wait_for_message(runtime_group(comm), wanted.letter())), status);
}

void iprobe(int source, int tag, Communicator& comm, int& flag, Status* status) {
  const Wanted wanted{"MPI_Iprobe", source, tag, comm};
  wanted.check();
  flag = 1;
  if (wanted.of_null_process()) return report(Status::of_null_process(), status);
  if (const std::optional<detail::Received> found = detail::probe(runtime_group(comm), wanted.letter())) {
    report(wanted.status_of(*found), status);
  } else {
    flag = 0;
  }
}

void mprobe(int source, int tag, Communicator& comm, Message*& message, Status* status) {
  const Wanted wanted{"MPI_Mprobe", source, tag, comm};
  wanted.check();
  if (wanted.of_null_process()) return state_null_process(message, status);
  state_taken(wanted, detail::wait_and_take(runtime_group(comm), wanted.letter()), message, status);
}

void improbe(int source, int tag, Communicator& comm, int& flag, Message*& message, Status* status) {
  const Wanted wanted{"MPI_Improbe", source, tag, comm};
  wanted.check();
  flag = 1;
  if (wanted.of_null_process()) return state_null_process(message, status);
  if (std::optional<detail::MatchedMessage> taken = detail::take_message(runtime_group(comm), wanted.letter())) {
    state_taken(wanted, std::move(*taken), message, status);
  } else {
    flag = 0;
    message = nullptr;
  }
}

void mrecv(void* buf, Count count, Datatype& type, Message*& message, Status* status) {
  const Data data = data_at(buf, count, &type, "buf");
  check_message(message);
  if (message->predefined) {
    message = nullptr;
    return report(Status::of_null_process(), status);
  }
  const Ref<Message> taken = Ref<Message>::adopt(std::exchange(message, nullptr));
  receiving("MPI_Mrecv", data, *taken).perform(std::move(*taken->matched), status);
}

void imrecv(void* buf, Count count, Datatype& type, Message*& message, Request*& request) {
  const Data data = data_at(buf, count, &type, "buf");
  check_message(message);
  Ref<Request> started = Ref<Request>::adopt(new Request(message->communicator.get()));
  if (message->predefined) {
    message = nullptr;
    started->status = Status::of_null_process();
  } else {
    const Ref<Message> taken = Ref<Message>::adopt(std::exchange(message, nullptr));
    receiving("MPI_Imrecv", data, *taken).start(*started, std::move(*taken->matched));
  }
  request = started.leak();
}

}  // namespace cohort::mpi
