// Memory that operations in progress use: in develop mode nothing may be written that another one reads or writes.
#pragma once

#include "cohort/detail/call.hpp"

namespace cohort::detail {

// Throws Error(argument) that names the operation in progress whose memory it is too. Under the mutex.
void check_memory(const GroupState& group, const Call& call);
void check_memory(const GroupState& group, const Letter* out, const Letter* in);

}  // namespace cohort::detail
