// The table of who listens where, that completes a job; and the measurement of the network, which it waits for.
#include <algorithm>
#include <utility>

#include "launcher/job/running_job.hpp"
#include "launcher/network/typical_network.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds measurement_limit{500};  // from when all have joined

}  // namespace

// The first two hosts, as soon as both are there; that of rank 0 is the near end.
void RunningJob::measure_network() {
  const auto is_there = [&](int number) { return hosts_.at(number).stage != JobHosts::Stage::connecting; };
  if (measurement_ != Measurement::wanted || !is_there(0) || !is_there(1)) return;
  measurement_ = Measurement::begun;
  v1::ToHost message;
  describe_meeting(*message.mutable_be_measured());
  hosts_.tell(1, std::move(message));
}

void RunningJob::describe_meeting(v1::BeMeasured& meeting) const {
  meeting.set_job(~origin_.id);  // a job of its own
  meeting.set_secret(origin_.secret.data(), origin_.secret.size());
  meeting.set_count(std::max(hosts_.at(0).plan.count, hosts_.at(1).plan.count));
}

void RunningJob::measurable(const std::string& ip, std::uint32_t port) {
  v1::ToHost message;
  v1::Measure& order = *message.mutable_measure();
  describe_meeting(*order.mutable_meeting());
  order.set_ip(ip);
  order.set_port(port);
  hosts_.tell(0, std::move(message));
}

void RunningJob::measured(const v1::FromHost& message) {
  if (std::exchange(measurement_, Measurement::over) == Measurement::over) return;  // too late
  if (message.measured().has_network()) plan_.tuning.between_hosts = read(message.measured().network());
  if (roster_.all_joined()) tell_table();
}

void RunningJob::listens(Pid pid, ProcessAddress address) {
  addresses_[static_cast<std::size_t>(pid)] = std::move(address);
  if (!roster_.joined(pid)) return;
  limits_.cancel(Time::join);
  if (measurement_ == Measurement::none || measurement_ == Measurement::over) return tell_table();
  limits_.begin(Time::measurement, measurement_limit, now_.attended);
}

void RunningJob::tell_table() {
  phases_.meet();
  limits_.cancel(Time::measurement);
  // Hosts that are containers, or the lab's, of one machine do not each have its cores.
  const int cores = cores_in_common(hosts_.machines());
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
  tell_all(std::move(message));
}

}  // namespace cohort
