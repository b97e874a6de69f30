// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/gathering.hpp"

#include <algorithm>
#include <utility>

#include "launcher/network/typical_network.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {
constexpr std::chrono::milliseconds measurement_limit{500};  // after all processes have joined
}

Gathering::Gathering(int ranks, int hosts, std::optional<Network> between_hosts)
    : addresses_(static_cast<std::size_t>(ranks)), between_hosts_(std::move(between_hosts)) {
  if (hosts > 1 && !between_hosts_) measurement_ = Measurement::wanted;
}

bool Gathering::take_measurement(const JobHosts& hosts) {
  const auto is_there = [&](int number) { return hosts.at(number).stage != JobHosts::Stage::connecting; };
  if (measurement_ != Measurement::wanted || !is_there(0) || !is_there(1)) return false;
  measurement_ = Measurement::begun;
  return true;
}

void Gathering::measured(const std::optional<Network>& network) {
  if (std::exchange(measurement_, Measurement::over) == Measurement::over) return;  // too late
  if (network) between_hosts_ = network;
  deadline_.reset();
}

std::string Gathering::ways() const {
  bool by_memory = false, by_tcp = false;
  for (std::size_t i = 1; i < addresses_.size(); ++i) {
    const bool shares = addresses_[i].memory != 0 && addresses_[i].memory == addresses_[i - 1].memory;
    (shares ? by_memory : by_tcp) = true;
  }
  if (by_memory && by_tcp) return "through memory and over TCP";
  return by_memory ? "through memory" : by_tcp ? "over TCP" : "";
}

void Gathering::complete(Attended now) {
  stage_ = Stage::complete;
  if (measurement_ == Measurement::wanted || measurement_ == Measurement::begun) {
    deadline_ = Deadline::after(measurement_limit, now);
  }
}

void Gathering::time_up(Attended now) {
  if (deadline_ && deadline_->passed(now)) measured({});
}

std::optional<process::v1::Table> Gathering::take_table(const JobHosts& hosts) {
  if (stage_ != Stage::complete || deadline_) return std::nullopt;
  stage_ = Stage::told;
  // Hosts that are containers on one machine share the cores of that machine.
  const auto ranks = static_cast<int>(addresses_.size());
  const int cores = cores_in_common(hosts.machines());
  const bool crowded = cores > 0 && ranks > cores;
  if (measurement_ == Measurement::over && crowded) {
    if (!between_hosts_) between_hosts_.emplace();
    share_cores(*between_hosts_, ranks, cores);
  }
  process::v1::Table table;
  for (const JobHosts::State& host : hosts) {
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
      const ProcessAddress& from = address(pid);
      process::v1::Address& to = *table.add_addresses();
      to.set_host(static_cast<std::uint32_t>(table.hosts_size()));
      to.set_ip(from.ip);
      to.set_port(from.port);
      to.set_incarnation(from.incarnation);
      to.set_memory(from.memory);
      to.set_place(static_cast<std::uint32_t>(pid - host.plan.first));
    }
    table.add_hosts(host.plan.name);
  }
  table.set_crowded(crowded);
  if (between_hosts_) write(*between_hosts_, *table.mutable_between_hosts());
  return table;
}

v1::BeMeasured meeting(const JobOrigin& origin, const JobHosts& hosts) {
  v1::BeMeasured meeting;
  meeting.set_job(~origin.id);
  meeting.set_secret(origin.secret.data(), origin.secret.size());
  meeting.set_count(std::max(hosts.at(0).plan.count, hosts.at(1).plan.count));
  return meeting;
}

}  // namespace cohort
