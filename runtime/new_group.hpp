// Making a group from a list of pids.
#pragma once

#include <memory>
#include <span>

#include "cohort/detail/call.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

std::shared_ptr<GroupState> new_group(const std::shared_ptr<Runtime>& runtime, std::span<const Pid> list,
                                      std::int64_t label, const Where& where);

}  // namespace cohort::detail
