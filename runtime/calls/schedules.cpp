// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/schedules.hpp"

#include <algorithm>
#include <utility>

#include "collectives/barrier_mode.hpp"
#include "groups/mesh_detection.hpp"

namespace cohort::detail {

namespace {

constexpr std::size_t rounds_kept = 16;  // a longer schedule makes its rounds while it is played

std::vector<Rank> mesh_of(const Job& job, const Members& members) {
  std::vector<Rank> hosts;
  hosts.reserve(static_cast<std::size_t>(members.size()));
  for (Rank rank = 0; rank < members.size(); ++rank) hosts.push_back(job.address(members.pid_of(rank)).host_number);
  return detect_hosts(hosts);
}

}  // namespace

Schedules::Schedules(const Job& job, const Members& members, Rank me)
    : job_(job), me_(me), mesh_(mesh_of(job, members)) {}

const Network& Schedules::network() const {
  return mesh_.size() == 2 && mesh_[0] == 1 ? job_.tuning.within_host : job_.tuning.between_hosts;
}

std::shared_ptr<const Solution> Schedules::solve(const Task& task, Choices& choices) {
  // A choice that is made again for a call that recurs replaces the solution.
  const Choice* chosen = nullptr;
  if (task.algorithm == nullptr && sizes_count(task.problem)) {
    chosen = &recurring_.choose(
        task.problem, [&](const ChoiceProfile& profile) { return cohort::choose(on_hosts(task.problem), profile); });
  }
  const auto known = std::ranges::find(kept_, task, &Solution::task);
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
    if (chosen == nullptr || (*known)->choice.algorithm == chosen->algorithm) return *known;
    kept_.pop_front();
  }
  const Problem problem = on_hosts(task.problem);
  const Choice choice = chosen != nullptr                  ? *chosen
                        : task.algorithm == nullptr        ? choices.choose(problem)
                        : task.algorithm->traits.uses_mesh ? Choice{task.algorithm, problem.parameters, problem.mesh}
                                                           : Choice{task.algorithm, problem.parameters, {}};
  kept_.push_front(make(task, choice, problem, Signals::of_mode));
  if (kept_.size() > most_kept) kept_.pop_back();
  return kept_.front();
}

std::shared_ptr<const Solution> Schedules::make(const Task& task, const Choice& choice, const Problem& problem,
                                                Signals signals) const {
  const Algorithm& algorithm = *choice.algorithm;
  Problem own = problem;
  own.parameters = choice.parameters;
  own.mesh = choice.mesh;
  if (!algorithm.traits.knows_hosts) own.within_host.reset();
  Schedule schedule = algorithm.schedule(own, me_);
  if (job_.barrier && signals == Signals::of_mode) schedule = with_signals(std::move(schedule), problem, me_);
  if (schedule.rounds() <= rounds_kept) schedule.make_rounds();
  return std::make_shared<const Solution>(Solution{task, choice, std::move(schedule)});
}

// Adds the group's mesh, unless the caller has named another one.
Problem Schedules::on_hosts(Problem problem) const {
  const bool share_hosts = mesh_.size() == 2 && mesh_[0] > 1 && mesh_[1] > 1;
  if (!share_hosts || !problem.mesh.empty()) return problem;
  problem.mesh = mesh_;
  problem.within_host = job_.tuning.within_hosts;
  return problem;
}

}  // namespace cohort::detail
