// SPDX-License-Identifier: Apache-2.0
// Functions of the program that the core calls. Their arguments are handles, whose form depends on the face and on the
// language; so each comes with the face's function that translates (`call`).
#pragma once

#include <cstdint>

#include "cohort/types.hpp"
#include "mpi/core/status.hpp"

namespace cohort::mpi {

class Datatype;
class Object;

// inout[i] = in[i] (op) inout[i]
struct UserOperator {
  void* function = nullptr;
  void (*call)(void* function, void* in, void* inout, Count count, Datatype& type) = nullptr;
};

// Copies an attribute when its object is duplicated. Returns an error code. `copied`: whether the new object has it.
struct CopyAttribute {
  void* function = nullptr;
  int (*call)(void* function, Object& object, int keyval, void* extra_state, std::intptr_t value,
              std::intptr_t& new_value, bool& copied) = nullptr;
};

struct DeleteAttribute {
  void* function = nullptr;
  int (*call)(void* function, Object& object, int keyval, std::intptr_t value, void* extra_state) = nullptr;
};

struct UserErrorHandler {
  void* function = nullptr;
  void (*call)(void* function, Object& object, int code) = nullptr;  // the code in the core's numbers
};

// Of a generalized request.
struct QueryFunction {
  void* function = nullptr;
  int (*call)(void* function, void* extra_state, Status& status) = nullptr;
};
struct FreeFunction {
  void* function = nullptr;
  int (*call)(void* function, void* extra_state) = nullptr;
};
struct CancelFunction {
  void* function = nullptr;
  int (*call)(void* function, void* extra_state, bool complete) = nullptr;
};

}  // namespace cohort::mpi
