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
  welcome.set_barrier(job.barrier());
  welcome.set_develop(job.develop());
  welcome.set_synchronous(job.synchronous());
  welcome.set_progress_thread(job.progress_thread());
  welcome.set_record(job.record());
  welcome.set_replay(job.replay());
  welcome.set_patience(job.patience());
  welcome.set_stacks(job.stacks());
  welcome.set_goes_on(job.goes_on());
  welcome.set_host_limit(job.host_limit());
  *welcome.mutable_tuning() = job.tuning();
  *welcome.mutable_faults() = job.faults();
  if (!job.tuning().has_within_host()) {
    write(typical_within_host(welcome.processes_on_host(), welcome.cores()),
          *welcome.mutable_tuning()->mutable_within_host());
  }
  return welcome;
}

}  // namespace cohort
