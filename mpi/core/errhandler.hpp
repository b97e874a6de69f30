// SPDX-License-Identifier: Apache-2.0
// What happens when a function fails.
#pragma once

#include <vector>

#include "cohort/types.hpp"
#include "mpi/core/callbacks.hpp"
#include "mpi/core/object.hpp"

namespace cohort::mpi {

class Errhandler : public Object {
 public:
  enum class Action { abort, abort_communicator, give_back, call };
  enum class Of { any, communicator, window, file, session };  // the objects that may have it

  explicit Errhandler(Action act, UserErrorHandler to_call = {}, Of objects = Of::any)
      : Object(Kind::errhandler), action(act), of(objects), user(to_call) {}

  static Errhandler& errors_are_fatal();
  static Errhandler& errors_abort();
  static Errhandler& errors_return();

  // Who ends with this process, if the handler aborts after an error on this object. Empty: the whole job.
  std::vector<Pid> ended_members(const Object& object) const;

  const Action action;
  const Of of;
  const UserErrorHandler user;
};

// Does what the handler says about an error of a function on this object. The handlers that abort write the text of the
// code (error_string) to stderr and do not return.
void handle_error(Errhandler& handler, Object& object, int code);

}  // namespace cohort::mpi
