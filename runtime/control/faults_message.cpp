// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/faults_message.hpp"

#include "cohort/error.hpp"
#include "proto/process.pb.h"

namespace cohort {
namespace {

template <class Value>
Value value_of(std::uint32_t number, Value last) {
  if (number <= static_cast<std::uint32_t>(last)) return static_cast<Value>(number);
  throw Error(ErrorCode::job, "the launcher asks for a fault that makes no sense here");
}

}  // namespace

void write(const FaultPlan& plan, process::v1::Faults& message) {
  message.set_seed(plan.seed);
  for (const PlannedFault& fault : plan.faults) {
    process::v1::PlannedFault& to = *message.add_faults();
    to.set_number(fault.number);
    to.set_kind(static_cast<std::uint32_t>(fault.kind));
    to.set_rank(fault.rank);
    to.set_from(fault.from);
    to.set_to(fault.to);
    to.set_trigger(static_cast<std::uint32_t>(fault.trigger));
    to.set_at_s(fault.at_s);
    to.set_nth(fault.nth);
    if (fault.operation) to.set_operation(static_cast<std::uint32_t>(*fault.operation));
    to.set_rate(fault.rate);
    to.set_for_s(fault.for_s);
    to.set_amount(fault.amount);
    to.set_payload(fault.payload);
  }
}

void write(const InjectedFault& happened, process::v1::Injected& message) {
  message.set_number(happened.number);
  message.set_times(happened.times);
  message.set_first(happened.first_s);
}

FaultPlan read(const process::v1::Faults& message) {
  FaultPlan plan;
  plan.seed = message.seed();
  for (const process::v1::PlannedFault& from : message.faults()) {
    PlannedFault& fault = plan.faults.emplace_back();
    fault.number = from.number();
    fault.kind = value_of(from.kind(), FaultKind::last_kind);
    fault.rank = from.rank();
    fault.from = from.from();
    fault.to = from.to();
    fault.trigger = value_of(from.trigger(), FaultTrigger::last_trigger);
    fault.at_s = from.at_s();
    fault.nth = from.nth();
    if (from.has_operation()) fault.operation = value_of(from.operation(), Operation::last_operation);
    fault.rate = from.rate();
    fault.for_s = from.for_s();
    fault.amount = from.amount();
    fault.payload = from.payload();
  }
  return plan;
}

}  // namespace cohort
