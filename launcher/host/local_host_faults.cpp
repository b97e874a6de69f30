// One host's part in faults on purpose.
#include <utility>

#include "launcher/host/local_host.hpp"
#include "proto/control.pb.h"
#include "runtime/control/faults_message.hpp"

namespace cohort {

// The job has come together.
void LocalHost::begin_faults() { faults_.add(read(welcome_->welcome().faults())); }

void LocalHost::inject(const process::v1::Faults& faults) {
  faults_.add(read(faults));
  process::v1::ToProcess message;
  *message.mutable_inject() = faults;
  tell_processes(message);
}

void LocalHost::hear_injected(const LocalProcess& process, const process::v1::Injected& happened) {
  faults_.begun_by_itself(happened.number());
  v1::FromHost message;
  message.mutable_has_injected()->set_pid(process.pid);
  *message.mutable_has_injected()->mutable_injected() = happened;
  emit(std::move(message));
}

void LocalHost::tell_injected(Pid pid, const InjectedFault& happened) {
  v1::FromHost message;
  message.mutable_has_injected()->set_pid(pid);
  write(happened, *message.mutable_has_injected()->mutable_injected());
  emit(std::move(message));
}

}  // namespace cohort
