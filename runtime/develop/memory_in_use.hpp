// SPDX-License-Identifier: Apache-2.0
// The memory of operations in progress. In develop mode, an operation must not write memory that another one reads or
// writes.
#pragma once

#include "cohort/detail/call.hpp"

namespace cohort::detail {

// Throws Error(argument) that names the operation in progress that uses the same memory. Under the mutex.
void check_memory(const GroupState& group, const Call& call);
void check_memory(const GroupState& group, const Letter* out, const Letter* in);

}  // namespace cohort::detail
