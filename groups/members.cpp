// SPDX-License-Identifier: Apache-2.0
#include "groups/members.hpp"

#include <algorithm>
#include <string>

#include "groups/hash.hpp"

namespace cohort {

Members Members::range(Pid first, Pid stride, Rank size) {
  Members members;
  members.first_ = first;
  members.stride_ = stride;
  members.size_ = size;
  return members;
}

Members Members::list(std::vector<Pid> pids) {
  Members members;
  members.size_ = static_cast<Rank>(pids.size());
  members.by_rank_ = std::move(pids);
  members.by_pid_.reserve(members.by_rank_.size());
  for (Rank rank = 0; rank < members.size_; ++rank) members.by_pid_.push_back({members.pid_of(rank), rank});
  std::ranges::sort(members.by_pid_, {}, &Entry::pid);
  return members;
}

std::optional<Rank> Members::rank_of(Pid pid) const {
  if (by_rank_.empty()) {
    const Pid distance = pid - first_;
    if (stride_ == 0 || distance % stride_ != 0)
      return size_ == 1 && distance == 0 ? std::optional<Rank>(0) : std::nullopt;
    const Rank rank = distance / stride_;
    return rank >= 0 && rank < size_ ? std::optional<Rank>(rank) : std::nullopt;
  }
  const auto entry = std::ranges::lower_bound(by_pid_, pid, {}, &Entry::pid);
  if (entry == by_pid_.end() || entry->pid != pid) return std::nullopt;
  return entry->rank;
}

std::vector<Pid> Members::pids() const {
  std::vector<Pid> list(static_cast<std::size_t>(size_));
  for (Rank rank = 0; rank < size_; ++rank) list[static_cast<std::size_t>(rank)] = pid_of(rank);
  return list;
}

Members Members::subrange(Rank first, Rank stride, Rank count) const {
  if (by_rank_.empty()) return range(pid_of(first), count > 1 ? stride_ * stride : 1, count);
  std::vector<Pid> pids;
  for (Rank i = 0; i < count; ++i) pids.push_back(pid_of(first + i * stride));
  return list(std::move(pids));
}

std::optional<std::string> defect(std::span<const Pid> list, Pid me, Pid processes) {
  if (list.empty()) return "the list is empty";
  for (const Pid pid : list) {
    if (pid < 0 || pid >= processes) {
      return "pid " + std::to_string(pid) + " does not exist: the job has the pids 0 to " +
             std::to_string(processes - 1);
    }
  }
  std::vector<Pid> sorted(list.begin(), list.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return "pid " + std::to_string(*twice) + " is in the list twice";
  }
  if (!std::ranges::binary_search(sorted, me)) return "the caller, pid " + std::to_string(me) + ", is not in the list";
  return std::nullopt;
}

GroupId setup_id(std::span<const Pid> list) {
  Hash hash;
  for (const Pid pid : list) hash.add(static_cast<std::uint64_t>(pid));
  return {0, list.front(), hash.value() | 1};
}

}  // namespace cohort
