// Planned faults as they travel from the launcher to the processes, and what came of them.
#pragma once

#include "runtime/faults/planned_fault.hpp"

namespace cohort {

namespace process::v1 {
class Faults;
class Injected;
}  // namespace process::v1

void write(const FaultPlan& plan, process::v1::Faults& message);
void write(const InjectedFault& happened, process::v1::Injected& message);

// Throws Error(job) for what there is not here.
FaultPlan read(const process::v1::Faults& message);

}  // namespace cohort
