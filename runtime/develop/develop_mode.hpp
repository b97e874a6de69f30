// SPDX-License-Identifier: Apache-2.0
// Develop mode: what it remembers of the program's calls, and its checks of them.
#pragma once

#include "runtime/calls/mode.hpp"
#include "runtime/develop/lists.hpp"
#include "runtime/develop/overlaps.hpp"
#include "runtime/develop/receive_order.hpp"
#include "runtime/job.hpp"

namespace cohort::detail {

class DevelopMode final : public Mode {
 public:
  explicit DevelopMode(const Job& job);

  std::shared_ptr<Pending> collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) override;
  std::shared_ptr<Pending> messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                    const Letter* in) override;
  void sets_up(GroupState& group, const Where& where) override;
  void told_of_list(Pid from, const GroupId& setup, std::string words) override;
  void look(const Pending& awaited) override;
  std::string differing_lists(const Pending& awaited) const override;
  void failed(const GroupState& group, const FaultPointer& fault) override;
  void let_go(GroupState& group) override;
  void leave(const std::shared_ptr<GroupState>& all, const Where& where) override;

  ReceiveOrder receive_order;
  Lists lists;
  Overlaps overlaps;
  FaultPointer latest_group_fault;  // maybe the reason why this process leaves
};

// The mode that the job's user asked for; null: run mode.
std::unique_ptr<Mode> mode_for(const Job& job);

}  // namespace cohort::detail
