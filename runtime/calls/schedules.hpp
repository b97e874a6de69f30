// SPDX-License-Identifier: Apache-2.0
// A group's schedules for this rank, by task. The most recently used ones are cached.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "collectives/registry.hpp"
#include "collectives/selector/choices.hpp"
#include "collectives/selector/recurring_calls.hpp"
#include "groups/members.hpp"
#include "runtime/job.hpp"

namespace cohort::detail {

// A problem, and the algorithm that the caller or the job's user has named for it.
struct Task {
  Problem problem;
  const Algorithm* algorithm = nullptr;  // null: the selector's choice

  friend bool operator==(const Task&, const Task&) = default;
};

// The algorithm and the schedule that solve a problem.
struct Solution {
  Task task;
  Choice choice;
  Schedule schedule;  // this rank's
};

class Schedules {
 public:
  // The job outlives it.
  Schedules(const Job& job, const Members& members, Rank me);

  // {hosts, slots} if the members stand host by host, the same number on each; otherwise {p}.
  const std::vector<Rank>& mesh() const { return mesh_; }
  const Network& network() const;  // between the members

  // Returns the cached solution, or makes one. Under the runtime's mutex.
  std::shared_ptr<const Solution> solve(const Task& task, Choices& choices);

  // Makes a new solution by this choice; `problem` is the task's, maybe with the group's mesh. With Signals::of_mode it
  // follows the job's mode: in barrier mode no member leaves the call before all have entered.
  enum class Signals : std::uint8_t { none, of_mode };
  std::shared_ptr<const Solution> make(const Task& task, const Choice& choice, const Problem& problem,
                                       Signals signals) const;

 private:
  Problem on_hosts(Problem problem) const;

  static constexpr std::size_t most_kept = 32;

  const Job& job_;
  const Rank me_;
  const std::vector<Rank> mesh_;
  std::list<std::shared_ptr<const Solution>> kept_;  // the most recently used first
  RecurringCalls recurring_;
};

}  // namespace cohort::detail
