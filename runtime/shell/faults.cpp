// SPDX-License-Identifier: Apache-2.0
// Injected faults. The transport is wrapped only when the first fault is asked for.
#include <utility>

#include "runtime/faults/faulty_transport.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

// Called by the driver, or before there is one.
void Runtime::inject(const FaultPlan& plan) {
  for (const PlannedFault& fault : plan.faults) {
    if (!Injection::concerns(fault, job_.me)) continue;
    if (faulty_ == nullptr) {
      auto faulty = std::make_unique<FaultyTransport>(
          std::move(transport_), job_.ranks(),
          Injection(
              job_.me, [this](const PlannedFault& strikes) { control_->strike(strikes); },
              [this](const InjectedFault& happened) { control_->tell(happened); }));
      faulty_ = faulty.get();
      transport_ = std::move(faulty);
      messenger_.travel_by(*transport_);
    }
    faulty_->add(fault, plan.seed);
  }
}

void Runtime::close_transport() {
  transport_->close();
  if (faulty_ == nullptr) return;
  for (const InjectedFault& happened : faulty_->happened()) control_->tell(happened);
}

}  // namespace cohort::detail
