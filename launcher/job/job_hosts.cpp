// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/job_hosts.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace cohort {

JobHosts::JobHosts(std::vector<HostPlan> plans, const Machine& here, Commands& commands) : commands_(commands) {
  for (HostPlan& plan : plans) {
    const bool local = plan.local;
    hosts_.push_back({.plan = std::move(plan), .machine = local ? here : Machine{}});
  }
}

bool JobHosts::all_attached() const {
  return std::ranges::all_of(hosts_,
                             [](const State& host) { return host.plan.local || host.stage != Stage::connecting; });
}

bool JobHosts::all_ended() const {
  return std::ranges::all_of(hosts_, [](const State& host) { return host.ended >= host.expected; });
}

bool JobHosts::all_finished() const {
  return std::ranges::all_of(hosts_, [](const State& host) { return host.stage >= Stage::finished; });
}

std::vector<Machine> JobHosts::machines() const {
  std::vector<Machine> machines;
  for (const State& host : hosts_) machines.push_back(host.machine);
  return machines;
}

void JobHosts::tell(int number, v1::ToHost message) {
  const Stage stage = at(number).stage;
  if (stage == Stage::connecting || stage == Stage::lost) return;
  commands_.push_back(command::Tell{number, std::make_shared<const v1::ToHost>(std::move(message))});
}

void JobHosts::tell_all(v1::ToHost message) {
  const auto shared = std::make_shared<const v1::ToHost>(std::move(message));
  for (int number = 0; number < count(); ++number) {
    const Stage stage = at(number).stage;
    if (stage == Stage::started || stage == Stage::finished) commands_.push_back(command::Tell{number, shared});
  }
}

void JobHosts::suspend() {
  for (State& host : hosts_) host.suspended = host.stage < Stage::started || host.stage == Stage::lost;
}

bool JobHosts::all_suspended() const { return std::ranges::all_of(hosts_, &State::suspended); }

}  // namespace cohort
