// SPDX-License-Identifier: Apache-2.0
// What is known of a message that was received or found. Each face has a layout of its own for it.
#pragma once

#include "cohort/types.hpp"
#include "mpi/constants.hpp"

namespace cohort::mpi {

struct Status {
  int source = abi::any_source;
  int tag = abi::any_tag;
  int error = abi::success;  // faces store it only where the function has several statuses, and in the empty one
  bool cancelled = false;
  Count bytes = 0;
  bool is_empty = false;  // that of a request without an operation: the standard says what it holds, also as MPI_ERROR

  static Status empty() { return {.is_empty = true}; }
  static Status of_null_process() { return {.source = abi::proc_null}; }
};

// States what is known in the program's status, if it has passed one.
inline void report(const Status& known, Status* status) {
  if (status != nullptr) *status = known;
}

}  // namespace cohort::mpi
