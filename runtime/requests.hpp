// How a call becomes an operation in progress, for the parts of the runtime that make calls of their own.
#pragma once

#include <memory>

#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"

namespace cohort::detail {

// Starts a call whose arguments have been checked. Throws if the group has failed.
std::shared_ptr<Pending> begin(const std::shared_ptr<GroupState>& group, std::shared_ptr<const Call> call,
                               const Problem& problem);

}  // namespace cohort::detail
