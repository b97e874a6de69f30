// SPDX-License-Identifier: Apache-2.0
// How a function of a face runs one of the core: what is thrown becomes an error code, through the error handler.
#pragma once

#include "mpi/core/environment.hpp"
#include "mpi/faces/common/handles.hpp"

namespace cohort::mpi::faces {

// For the exception that is being handled: calls the error handler of the communicator, or the one for errors that
// belong to none. Returns the code, in the core's numbers. `name`: "MPI_Send".
int failed(const char* name, Communicator* on);

// The communicator of a handle, if it is one, to find the error handler.
template <class F>
Communicator* communicator_of(typename F::Handle comm) {
  Object* const object = F::find(Kind::communicator, comm);
  return object != nullptr && object->kind == Kind::communicator ? static_cast<Communicator*>(object) : nullptr;
}
template <class F>
Communicator* communicator_of_request(const typename F::Handle* request) {
  Object* const object = request != nullptr ? F::find(Kind::request, *request) : nullptr;
  if (object == nullptr || object->kind != Kind::request) return nullptr;
  return static_cast<Request*>(object)->communicator.get();
}
// Receiving a message ends it, so this is for before.
template <class F>
Ref<Communicator> communicator_of_message(const typename F::Handle* message) {
  Object* const object = message != nullptr ? F::find(Kind::message, *message) : nullptr;
  if (object == nullptr || object->kind != Kind::message) return {};
  return static_cast<Message*>(object)->communicator;
}
inline Communicator* no_communicator() { return nullptr; }

// Of functions that may be called at any time.
template <class F, class On, class Body>
int call_any_time(const char* name, const On& on, const Body& body) {
  try {
    body();
    return F::code.to_face(abi::success);
  } catch (...) {
    return F::code.to_face(failed(name, on()));
  }
}

template <class F, class On, class Body>
int call(const char* name, const On& on, const Body& body) {
  if (!is_active()) [[unlikely]]
    refuse_inactive(name);
  return call_any_time<F>(name, on, body);
}

// Throws the error of a function that is not in Cohort.
[[noreturn]] void refuse_missing(const char* chapter);
// Files have an error handler of their own, by default MPI_ERRORS_RETURN: so this returns the code. The first time, it
// writes to stderr, because many programs do not look at the code.
int missing_in_files(const char* name);

}  // namespace cohort::mpi::faces
