// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/welcome.hpp"

#include "launcher/network/typical_network.hpp"
#include "proto/control.pb.h"
#include "runtime/control/ports_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

process::v1::Welcome welcome_of(const v1::Start& job, const ListenAt& listen_at, int cores) {
  process::v1::Welcome welcome;
  welcome.set_job(job.job());
  welcome.set_secret(job.secret());
  welcome.set_ranks(job.ranks());
  welcome.mutable_listen_at()->set_ip(listen_at.ip);
  write(listen_at.ports, *welcome.mutable_listen_at()->mutable_ports());
  welcome.set_processes_on_host(job.count());
  welcome.set_cores(cores);
  *welcome.mutable_settings() = job.settings();
  process::v1::Tuning& tuning = *welcome.mutable_settings()->mutable_tuning();
  const bool through_memory = job.settings().transport() != process::v1::Settings::TCP;
  if (!tuning.has_within_host()) {
    write(typical_within_host(job.count(), cores, through_memory), *tuning.mutable_within_host());
  }
  return welcome;
}

}  // namespace cohort
