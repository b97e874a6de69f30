// SPDX-License-Identifier: Apache-2.0
// Faults for tests to plan.
#pragma once

#include <vector>

#include "runtime/faults/planned_fault.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort::testing {

inline constexpr Nanoseconds ms{1'000'000};

inline PlannedFault fault(FaultKind kind, Pid from, Pid to) {
  PlannedFault fault;
  fault.kind = kind;
  fault.from = from;
  fault.to = to;
  return fault;
}

inline PlannedFault process_fault(FaultKind kind, Pid rank) {
  PlannedFault fault;
  fault.kind = kind;
  fault.rank = rank;
  return fault;
}

// Each kind that chance can trigger.
inline std::vector<PlannedFault> random_faults() {
  std::vector<PlannedFault> faults = {fault(FaultKind::delay, -1, -1), fault(FaultKind::corrupt, 0, 2),
                                      fault(FaultKind::reset, 0, 1), fault(FaultKind::black_hole, 0, -1)};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    faults[i].number = static_cast<std::uint32_t>(i);
    faults[i].trigger = FaultTrigger::chance;
    faults[i].rate = 0.02;
    faults[i].amount = 0.01;
    faults[i].for_s = faults[i].kind == FaultKind::black_hole ? 0.02 : 0;
  }
  PlannedFault& stop = faults.emplace_back(process_fault(FaultKind::stop, 0));
  stop.number = 9;
  stop.trigger = FaultTrigger::chance;
  stop.rate = 0.01;
  stop.for_s = 0.01;
  return faults;
}

}  // namespace cohort::testing
