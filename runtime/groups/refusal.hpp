// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cohort/channels.hpp"

namespace cohort::detail {

// Throws Error(argument) for a call that has no such ranks, pids or coordinates: "subrange of group 0, rank 3: ...".
[[noreturn]] void refuse(const Membership& group, const char* call, const std::string& what, const Where& where);

// The same, if the group has no such rank.
void require_rank(const Membership& group, const char* call, Rank rank, const Where& where);

}  // namespace cohort::detail
