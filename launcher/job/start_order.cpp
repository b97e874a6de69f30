// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/start_order.hpp"

#include "launcher/network/typical_network.hpp"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

void write(const GivenTuning& tuning, process::v1::Tuning& message) {
  if (tuning.within_host) write(*tuning.within_host, *message.mutable_within_host());
  // Within a host, a process uses the figures of its own host. In a group that spans hosts, all members must choose
  // their algorithms by the same figures.
  write(tuning.within_host.value_or(typical_within_host(1, 1)), *message.mutable_within_hosts());
  if (tuning.between_hosts) write(*tuning.between_hosts, *message.mutable_between_hosts());
  for (const Choice& choice : tuning.choices) message.add_choices(to_string(choice));
}

void add_replay(const ReceiveRecord& replay, const HostPlan& host, v1::Start& order) {
  for (Pid pid = host.first; pid < host.first + host.count; ++pid) {
    for (const auto& [channel, sources] : replay.at(static_cast<std::size_t>(pid)).channels) {
      v1::Took& took = *order.add_took();
      took.set_pid(pid);
      write(channel, sources, *took.mutable_taken());
    }
  }
}

}  // namespace

v1::Start start_order(const JobPlan& plan, const JobOrigin& origin, const HostPlan& host) {
  v1::Start order;
  order.set_job(origin.id);
  order.set_secret(origin.secret.data(), origin.secret.size());
  order.set_ranks(plan.ranks);
  order.set_first_pid(host.first);
  order.set_count(host.count);
  order.set_program(plan.program);
  *order.mutable_arguments() = {plan.arguments.begin(), plan.arguments.end()};
  *order.mutable_environment() = {plan.environment.begin(), plan.environment.end()};
  order.set_directory(plan.directory);
  order.set_mpi(plan.mpi);
  write(origin.signals, *order.mutable_signals());
  *order.mutable_settings() = plan.settings;
  write(plan.faults.plan, *order.mutable_settings()->mutable_faults());
  write(plan.tuning, *order.mutable_settings()->mutable_tuning());
  if (plan.replay) add_replay(*plan.replay, host, order);
  order.set_stall_limit(plan.stall_limit_s);
  return order;
}

}  // namespace cohort
