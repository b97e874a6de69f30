// SPDX-License-Identifier: Apache-2.0
#include "runtime/failures/failures.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace cohort {

Failures::Actions Failures::link_broke(Pid peer, const std::string& cause, Time now) {
  if (dead_.contains(peer) || left_ || broken_) return {};
  if (!settings_.has_launcher) return {NoVerdict{peer, cause}};
  if (!suspects_.try_emplace(peer, Suspect{cause, now}).second) return {};
  return {AskWhy{peer, cause}};
}

Failures::Actions Failures::look(Time now) {
  Actions actions;
  for (const auto& [peer, suspect] : suspects_) {
    if (now - suspect.since >= settings_.verdict_limit) actions.push_back(NoVerdict{peer, suspect.cause});
  }
  return actions;
}

Failures::Actions Failures::died(const Failure& failure) {
  const Pid peer = failure.pid;
  suspects_.erase(peer);
  if (dead_.contains(peer)) return {};
  const auto fault = std::make_shared<const Fault>(
      Fault{ErrorCode::peer_lost, failure.words, std::make_shared<const Failure>(failure)});
  dead_.emplace(peer, fault);
  if (peer == settings_.me) return broke(fault);
  Actions actions{PeerFails{peer, fault}};
  for (ToldFailure& earlier : std::exchange(by_unknown_deaths_, {})) {
    for (Action& action : told(std::move(earlier))) actions.push_back(std::move(action));
  }
  return actions;
}

Failures::Actions Failures::told(ToldFailure told) {
  if (told.dead) {
    const auto death = dead_.find(*told.dead);
    if (death == dead_.end()) {
      remember(by_unknown_deaths_, std::move(told));
      return {};
    }
    Fault fault = *told.fault;
    fault.failure = death->second->failure;
    told.fault = std::make_shared<const Fault>(std::move(fault));
  }
  if (known_.contains(told.group)) return {GroupFails{std::move(told)}};
  remember(of_unknown_groups_, std::move(told));
  return {};
}

Failures::Actions Failures::broke(const FaultPointer& fault) {
  if (broken_) return {};
  broken_ = fault;
  suspects_.clear();
  return {AllFails{fault}};
}

std::vector<ToldFailure> Failures::made(const GroupId& group, const Members& members) {
  known_.insert(group);
  std::vector<ToldFailure> failures;
  for (const auto& [pid, fault] : dead_) {
    if (members.rank_of(pid)) failures.push_back({.from = pid, .group = group, .fault = fault});
  }
  for (const ToldFailure& told : of_unknown_groups_) {
    if (told.group == group && members.rank_of(told.from)) failures.push_back(told);
  }
  if (broken_) failures.push_back({.from = -1, .group = group, .fault = broken_});
  return failures;
}

void Failures::remember(std::deque<ToldFailure>& list, ToldFailure told) {
  list.push_back(std::move(told));
  if (list.size() > remembered) list.pop_front();
}

bool Failures::awaits_death(Pid from, const GroupId& group) const {
  return std::ranges::any_of(by_unknown_deaths_,
                             [&](const ToldFailure& told) { return told.from == from && told.group == group; });
}

FaultPointer Failures::loss_behind(const std::vector<Pid>& members) const {
  FaultPointer first, latest;
  for (const auto& [pid, fault] : dead_) {
    const auto number = fault->failure->number;
    if (!latest || number > latest->failure->number) latest = fault;
    const bool member = std::ranges::find(members, pid) != members.end();
    if (member && (!first || number < first->failure->number)) first = fault;
  }
  return first ? first : latest;
}

std::vector<Pid> Failures::lost() const {
  std::vector<Pid> pids;
  for (const auto& [pid, fault] : dead_) pids.push_back(pid);
  return pids;
}

}  // namespace cohort
