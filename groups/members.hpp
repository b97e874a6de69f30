// SPDX-License-Identifier: Apache-2.0
// The members of a group: an ordered list of pids, with a lookup of the rank of a pid.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

class Members {
 public:
  // The pids first, first + stride, ...: takes no memory, whatever their number.
  static Members range(Pid first, Pid stride, Rank size);

  // Any list of different pids (defect() checks that).
  static Members list(std::vector<Pid> pids);

  Rank size() const { return size_; }
  Pid pid_of(Rank rank) const {
    return by_rank_.empty() ? first_ + stride_ * rank : by_rank_[static_cast<std::size_t>(rank)];
  }
  std::optional<Rank> rank_of(Pid pid) const;
  std::vector<Pid> pids() const;

  // The members at the ranks first, first + stride, ...
  Members subrange(Rank first, Rank stride, Rank count) const;

 private:
  Rank size_ = 0;
  Pid first_ = 0;
  Pid stride_ = 1;
  std::vector<Pid> by_rank_;  // empty for a range
  struct Entry {
    Pid pid;
    Rank rank;
  };
  std::vector<Entry> by_pid_;  // sorted; empty for a range
};

// The mistake in a list of pids as a group in a job of `processes`, made by `me`, or nothing.
std::optional<std::string> defect(std::span<const Pid> list, Pid me, Pid processes);

// The address of the messages that set up a group. The same list has the same one; lists with different contents
// practically never share one.
GroupId setup_id(std::span<const Pid> list);

}  // namespace cohort
