// One host's part in faults on purpose.
#include <utility>

#include "launcher/local_host.hpp"
#include "proto/control.pb.h"
#include "runtime/control/faults_message.hpp"

namespace cohort {

void LocalHost::inject(const process::v1::Faults& faults) {
  faults_.add(read(faults));
  process::v1::ToProcess message;
  *message.mutable_inject() = faults;
  tell_processes(message);
}

pid_t LocalHost::running_process(Pid pid) const {
  for (const LocalProcess& process : processes_) {
    if (process.pid == pid && process.running) return process.process;
  }
  return -1;
}

void LocalHost::tell_injected(Pid pid, const InjectedFault& happened) {
  v1::FromHost message;
  message.mutable_has_injected()->set_pid(pid);
  write(happened, *message.mutable_has_injected()->mutable_injected());
  emit(std::move(message));
}

}  // namespace cohort
