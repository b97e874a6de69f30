// SPDX-License-Identifier: Apache-2.0
// Run mode: calls are made as they are. Calls that differ are compared where a process waits in vain
// (call_comparison.hpp).
#pragma once

#include "runtime/calls/mode.hpp"

namespace cohort::detail {

class RunMode final : public Mode {
 public:
  RunMode();

  std::shared_ptr<Pending> collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) override;
  std::shared_ptr<Pending> messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                    const Letter* in) override;
};

}  // namespace cohort::detail
