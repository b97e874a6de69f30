// The table of who listens where, that completes a job; and the measurement of the network, which it waits for.
#include <algorithm>
#include <utility>

#include "launcher/job/running_job.hpp"
#include "launcher/network/typical_network.hpp"
#include "proto/control.pb.h"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds measurement_limit{500};  // from when all have joined

}  // namespace

// A host that can be told to measure: one that has attached, or this one from the start on.
Host* RunningJob::reachable(int number) {
  HostState& host = hosts_[static_cast<std::size_t>(number)];
  if (host.link != nullptr) return host.link;
  return host.attached && !host.lost ? &remote_->host(number) : nullptr;
}

// The first two hosts, as soon as both are there; that of rank 0 is the near end.
void RunningJob::measure_network() {
  if (measurement_ != Measurement::wanted || reachable(0) == nullptr || reachable(1) == nullptr) return;
  measurement_ = Measurement::begun;
  v1::ToHost message;
  describe_meeting(*message.mutable_be_measured());
  reachable(1)->tell(message);
}

void RunningJob::describe_meeting(v1::BeMeasured& meeting) const {
  meeting.set_job(~id_);  // a job of its own
  meeting.set_secret(secret_.data(), secret_.size());
  meeting.set_count(std::max(hosts_[0].plan.count, hosts_[1].plan.count));
}

void RunningJob::measurable(const std::string& ip, std::uint32_t port) {
  v1::ToHost message;
  v1::Measure& order = *message.mutable_measure();
  describe_meeting(*order.mutable_meeting());
  order.set_ip(ip);
  order.set_port(port);
  if (Host* near = reachable(0)) near->tell(message);
}

void RunningJob::measured(const v1::FromHost& message) {
  if (std::exchange(measurement_, Measurement::over) == Measurement::over) return;  // too late
  if (message.measured().has_network()) plan_.tuning.between_hosts = read(message.measured().network());
  if (roster_.all_joined()) tell_table();
}

// Hosts that are containers, or the lab's, of one machine do not each have its cores.
int RunningJob::cores_in_common() const {
  std::vector<Machine> machines;
  for (const HostState& host : hosts_) machines.push_back(host.machine);
  return cohort::cores_in_common(machines);
}

void RunningJob::listens(Pid pid, ProcessAddress address) {
  addresses_[static_cast<std::size_t>(pid)] = std::move(address);
  if (!roster_.joined(pid)) return;
  join_timeout_.cancel();
  if (measurement_ == Measurement::none || measurement_ == Measurement::over) return tell_table();
  measurement_limit_.begin(measurement_limit, [this] {
    if (std::exchange(measurement_, Measurement::over) != Measurement::over) tell_table();
  });
}

void RunningJob::tell_table() {
  phases_.meet();
  measurement_limit_.cancel();
  const int cores = cores_in_common();
  const bool crowded = cores > 0 && plan_.ranks > cores;
  if (measurement_ == Measurement::over && crowded) {
    if (!plan_.tuning.between_hosts) plan_.tuning.between_hosts.emplace();
    share_cores(*plan_.tuning.between_hosts, plan_.ranks, cores);
  }
  v1::ToHost message;
  process::v1::Table& table = *message.mutable_table();
  for (const HostState& host : hosts_) {
    for (int i = 0; i < host.plan.count; ++i) {
      const ProcessAddress& from = addresses_[static_cast<std::size_t>(host.plan.first) + static_cast<std::size_t>(i)];
      process::v1::Address& to = *table.add_addresses();
      to.set_host(static_cast<std::uint32_t>(table.hosts_size()));
      to.set_ip(from.ip);
      to.set_port(from.port);
      to.set_incarnation(from.incarnation);
    }
    table.add_hosts(host.plan.name);
  }
  table.set_crowded(crowded);
  if (plan_.tuning.between_hosts) write(*plan_.tuning.between_hosts, *table.mutable_between_hosts());
  tell_all(message);
}

}  // namespace cohort
