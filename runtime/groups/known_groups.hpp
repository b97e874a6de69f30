// SPDX-License-Identifier: Apache-2.0
// The groups that this process is in, and the counter that names new ones.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>

#include "cohort/types.hpp"

namespace cohort::detail {

class GroupState;

class KnownGroups {
 public:
  // A number that this process has not used in a PGID yet (CCL, section 2.3). It is taken before it is known whether
  // this process will name the group, so that two threads never offer the same number. By any thread.
  std::uint32_t take_counter() { return next_counter_.fetch_add(1); }

  // Whether such a group can exist in a job of `ranks` processes. It need not be known here: messages may arrive for a
  // group that this process is about to join. It can't exist if its rank 0 is no process of the job, or if this process
  // would have named it and has not.
  bool can_exist(const GroupId& group, Pid me, Pid ranks) const {
    if (group.pid < 0 || group.pid >= ranks) return false;
    if (group.derivation != 0) return true;
    if (group.counter == 0) return group == GroupId{};
    return group.pid != me || group.counter < next_counter_.load();
  }

  void add(GroupState& group) { groups_.insert(&group); }
  void remove(GroupState& group) { groups_.erase(&group); }

  GroupState* find(const GroupId& id) const;  // nullptr if it is not known
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  std::atomic<std::uint32_t> next_counter_ = 1;  // 0 is the group of all
  std::set<GroupState*> groups_;
};

}  // namespace cohort::detail
