// SPDX-License-Identifier: Apache-2.0
// Functions of the program that get objects of the C++ interface, for the core.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>

#include "mpi/core/callbacks.hpp"
#include "mpi/core/numbers.hpp"
#include "mpi/faces/cxx/objects.hpp"
#include "mpi/faces/openmpi/face.hpp"

namespace cohort::mpi::faces::cxx {

// A key has either C's functions or those of C++, or none.
struct KeyFunctions {
  int (*c_copy)(void* handle, int keyval, void* extra_state, void* value, void* new_value, int* flag);
  int (*c_delete)(void* handle, int keyval, void* value, void* extra_state);
  int (*cxx_copy)(const MPI::Object&, int keyval, void* extra_state, void* value, void* new_value, bool& flag);
  int (*cxx_delete)(MPI::Object&, int keyval, void* value, void* extra_state);
};
CopyAttribute copy_attribute(const KeyFunctions& functions, void* extra_state);
DeleteAttribute delete_attribute(const CopyAttribute& of_same_key);

using ErrorFunction = void(MPI::Object&, int*, ...);
UserErrorHandler error_handler(ErrorFunction* function);

// The program makes an operator with a function that passes the call on, with one more argument: the real function,
// which it names after that.
using PassOn = void(void* in, void* inout, int* length, void** type, void* function);
UserOperator user_operator(const UserOperator& before, void* function);

}  // namespace cohort::mpi::faces::cxx
