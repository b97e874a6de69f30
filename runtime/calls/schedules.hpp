// A group's schedules for this rank, by task. The most recently used are kept.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "collectives/registry.hpp"
#include "collectives/selector/choices.hpp"
#include "groups/members.hpp"
#include "runtime/job.hpp"

namespace cohort::detail {

// A problem, and the algorithm that its caller or the job's user names for it.
struct Task {
  Problem problem;
  const Algorithm* algorithm = nullptr;  // null: the selector's choice

  friend bool operator==(const Task&, const Task&) = default;
};

// How a problem is solved.
struct Solution {
  Choice choice;
  Schedule schedule;  // this rank's
};

class Schedules {
 public:
  // The job outlives it.
  Schedules(const Job& job, const Members& members, Rank me);

  // {hosts, slots} if the members stand host by host, as many on each; otherwise {p}.
  const std::vector<Rank>& mesh() const { return mesh_; }
  const Network& network() const;  // between the members

  // From the cache where it was made before. The runtime's mutex is held.
  std::shared_ptr<const Solution> solve(const Task& task, Choices& choices);

  // Made anew. A signalled one keeps the job's mode: in barrier mode no member leaves before all have entered.
  enum class Signals : std::uint8_t { none, of_mode };
  std::shared_ptr<const Solution> make(const Choice& choice, const Problem& problem, Signals signals) const;

 private:
  Problem on_hosts(Problem problem) const;

  static constexpr std::size_t most_kept = 32;
  struct Kept {
    Task task;
    std::shared_ptr<const Solution> solution;
  };

  const Job& job_;
  const Rank me_;
  const std::vector<Rank> mesh_;
  std::list<Kept> kept_;  // the most recently used first
};

}  // namespace cohort::detail
