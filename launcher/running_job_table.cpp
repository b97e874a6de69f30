// The table of who listens where, that completes a job; and the measurement of the network, which it waits for.
#include <utility>

#include "launcher/running_job.hpp"
#include "proto/control.pb.h"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

constexpr std::chrono::milliseconds measuring_limit{200};  // from when all have joined

}  // namespace

// The first two hosts: rank 0's is the near end.
void RunningJob::measure_network() {
  if (hosts_.size() < 2 || plan_.tuning.between_hosts) return;
  network_known_ = false;
  v1::ToHost message;
  message.mutable_be_measured();
  hosts_[1].link->tell(message);
}

void RunningJob::measurable(const std::string& ip, std::uint32_t port) {
  v1::ToHost message;
  message.mutable_measure()->set_ip(ip);
  message.mutable_measure()->set_port(port);
  hosts_.front().link->tell(message);
}

void RunningJob::measured(const v1::FromHost& message) {
  if (std::exchange(network_known_, true)) return;  // too late
  if (message.measured().has_network()) plan_.tuning.between_hosts = read(message.measured().network());
  if (roster_.all_joined()) tell_table();
}

void RunningJob::listens(Pid pid, ProcessAddress address) {
  addresses_[static_cast<std::size_t>(pid)] = std::move(address);
  if (!roster_.joined(pid)) return;
  join_timeout_.cancel();
  if (network_known_) return tell_table();
  measuring_.expires_after(measuring_limit);
  measuring_.async_wait([this](const asio::error_code& error) {
    if (!error && !std::exchange(network_known_, true)) tell_table();
  });
}

void RunningJob::tell_table() {
  measuring_.cancel();
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
  if (plan_.tuning.between_hosts) write(*plan_.tuning.between_hosts, *table.mutable_between_hosts());
  tell_all(message);
}

}  // namespace cohort
