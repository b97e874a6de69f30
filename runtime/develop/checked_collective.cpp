// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/checked_collective.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {

CheckedCollective::CheckedCollective(const std::shared_ptr<GroupState>& state, const PlannedCall& planned)
    : PendingCollective(state, planned),
      agreement_(
          group(), call(), task(), number(),
          [this] {
            said();
            may_have_ended();
          },
          [this] { group().fail_and_tell(agreement_.fault(), agreement_.failed_peer()); }) {}

void CheckedCollective::said() {
  if (fault_) return;
  if (agreement_.disagreement()) return group().fail(agreement_.disagreement(), agreement_.differing());  // as all do
  agreed_ = true;
  Looks none;
  PendingCollective::start(none);
}

void CheckedCollective::fail(const FaultPointer& fault, Pid peer) {
  if (agreed_) return PendingCollective::fail(fault, peer);
  if (fault_) return;
  fault_ = fault;
  failed_peer_ = peer;
  agreement_.fail(fault, peer);
}

Doing::Call CheckedCollective::describe() const {
  Doing::Call call = PendingCollective::describe();
  if (!agreed_) agreement_.describe(call);
  return call;
}

std::exception_ptr CheckedCollective::error() const {
  if (agreed_) return PendingCollective::error();
  return as_error(fault_, call().operation, number(), failed_peer_, place_of(call()));
}

}  // namespace cohort::detail
