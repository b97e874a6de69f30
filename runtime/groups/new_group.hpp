// SPDX-License-Identifier: Apache-2.0
// Making groups: from a list of pids, and from the ranks of another group.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>

#include "cohort/detail/call.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

std::shared_ptr<GroupState> new_group(const std::shared_ptr<Runtime>& runtime, std::span<const Pid> list,
                                      std::int64_t label, const Where& where);

// A group of members of the parent, made without communication. Its identifier follows from the parent's and from
// `how`, numbers that all its members know.
std::shared_ptr<GroupState> derived_group(GroupState& parent, Members members, std::initializer_list<std::uint64_t> how,
                                          std::int64_t label);

// The ranks first, first + stride, ... (count of them) of the parent, without communication. Only these ranks call it,
// all with the same arguments, and in the same order as other calls with these arguments.
std::shared_ptr<GroupState> subgroup(GroupState& parent, Rank first, Rank stride, Rank count, std::int64_t label);

// The living members, as the launcher knows them when all of them have called it.
std::shared_ptr<GroupState> survivors(GroupState& parent, const Where& where);

}  // namespace cohort::detail
