// SPDX-License-Identifier: Apache-2.0
// Planned faults as the launcher sends them to processes, and the faults that happened.
#pragma once

#include "runtime/faults/planned_fault.hpp"

namespace cohort {

namespace process::v1 {
class Faults;
class Injected;
}  // namespace process::v1

void write(const FaultPlan& plan, process::v1::Faults& message);
void write(const InjectedFault& happened, process::v1::Injected& message);

// Throws Error(job) for a kind, trigger or operation that this library does not have.
FaultPlan read(const process::v1::Faults& message);

}  // namespace cohort
