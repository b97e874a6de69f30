// The groups that this process is in, and the numbers that it names new ones by.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>

#include "cohort/types.hpp"

namespace cohort::detail {

class GroupState;

class KnownGroups {
 public:
  // A number that this process has not yet put into a PGID (CCL, section 2.3). It is taken before it is known whether
  // this process will be the one that names the group, so that two threads never offer the same. By any thread.
  std::uint32_t take_counter() { return next_counter_.fetch_add(1); }

  // Whether there can be such a group, in a job of `ranks`, be it known here or not: one that this process will only
  // join may have messages on their way to it. Not one that nobody can be rank 0 of, or that this process would have
  // named and has not.
  bool can_exist(const GroupId& group, Pid me, Pid ranks) const {
    if (group.pid < 0 || group.pid >= ranks) return false;
    if (group.derivation != 0) return true;
    if (group.counter == 0) return group == GroupId{};
    return group.pid != me || group.counter < next_counter_.load();
  }

  void add(GroupState& group) { groups_.insert(&group); }
  void remove(GroupState& group) { groups_.erase(&group); }

  GroupState* find(const GroupId& id) const;  // nullptr: it is not known
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  std::atomic<std::uint32_t> next_counter_ = 1;  // 0 is the group of all
  std::set<GroupState*> groups_;
};

}  // namespace cohort::detail
