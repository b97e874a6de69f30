// Faults on purpose: the transport is wrapped once the first is asked for, and not before.
#include <algorithm>
#include <csignal>
#include <utility>

#include "runtime/faults/faulty_transport.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

// A process that runs slowly is its agent's work, as is waking one that is stopped.
void strike(const PlannedFault& fault) {
  if (fault.kind == FaultKind::kill) ::raise(SIGKILL);
  if (fault.kind == FaultKind::stop) ::raise(SIGSTOP);
}

}  // namespace

// By the driver, or before there is one.
void Runtime::inject(const FaultPlan& plan) {
  for (const PlannedFault& fault : plan.faults) {
    if (!Injection::concerns(fault, job_.me)) continue;
    if (faulty_ == nullptr) {
      auto faulty = std::make_unique<FaultyTransport>(
          std::move(transport_), job_.ranks(),
          Injection(job_.me, plan.seed, strike, [this](const InjectedFault& happened) {
            if (control_) control_->tell(happened);
          }));
      faulty_ = faulty.get();
      transport_ = std::move(faulty);
      messenger_.travel_by(*transport_);
    }
    faulty_->add(fault);
  }
}

void Runtime::close_transport() {
  transport_->close();
  if (faulty_ == nullptr || !control_) return;
  for (const InjectedFault& happened : faulty_->happened()) control_->tell(happened);
}

}  // namespace cohort::detail
