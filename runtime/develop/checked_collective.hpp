// SPDX-License-Identifier: Apache-2.0
// A collective in develop mode: it begins when all members have agreed on it.
#pragma once

#include "runtime/calls/pending_collective.hpp"
#include "runtime/calls/planned_call.hpp"
#include "runtime/develop/agreement.hpp"

namespace cohort::detail {

class CheckedCollective : public PendingCollective {
 public:
  CheckedCollective(const std::shared_ptr<GroupState>& group, const PlannedCall& planned);
  bool ended() const override { return agreed_ ? PendingCollective::ended() : fault_ && agreement_.ended(); }
  Pid waits_for() const override { return agreed_ ? PendingCollective::waits_for() : agreement_.waits_for(); }
  void fail(const FaultPointer& fault, Pid peer) override;
  std::exception_ptr error() const override;
  Doing::Call describe() const override;

 private:
  void start(Looks&) override { agreement_.start(); }
  void said();

  Agreement agreement_;
  bool agreed_ = false;
  FaultPointer fault_;  // of a failure before the members agreed
  Pid failed_peer_ = -1;
};

}  // namespace cohort::detail
