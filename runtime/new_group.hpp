// Making groups: from a list of pids, and from the ranks of another group.
#pragma once

#include <memory>
#include <span>

#include "cohort/detail/call.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

std::shared_ptr<GroupState> new_group(const std::shared_ptr<Runtime>& runtime, std::span<const Pid> list,
                                      std::int64_t label, const Where& where);

// The ranks first, first + stride, ... (count of them) of the parent, without communication: called by these ranks
// only, by all with the same arguments, in the same order as other calls with these.
std::shared_ptr<GroupState> subgroup(GroupState& parent, Rank first, Rank stride, Rank count, std::int64_t label);

// The members that live, as the launcher knows them when all of those have called it.
std::shared_ptr<GroupState> survivors(GroupState& parent, const Where& where);

}  // namespace cohort::detail
