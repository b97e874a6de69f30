// SPDX-License-Identifier: Apache-2.0
// A collective in progress: the engine plays its schedule.
#pragma once

#include <memory>
#include <string>

#include "runtime/calls/call_comparison.hpp"
#include "runtime/calls/pending.hpp"
#include "runtime/calls/play.hpp"
#include "runtime/calls/schedules.hpp"

namespace cohort::detail {

class PendingCollective : public Pending {
 public:
  // Takes the number of the group's next call.
  PendingCollective(std::shared_ptr<GroupState> group, std::shared_ptr<const Call> call, const MadeCall& made,
                    std::shared_ptr<const Solution> solution);
  bool ended() const override { return play_.ended(); }
  Pid waits_for() const override { return play_.waits_for(); }
  void fail(const FaultPointer& fault, Pid peer) override { play_.fail(fault, peer); }
  void look_for_mismatch() override;
  void cancel(const FaultPointer& fault) override;  // fails the whole group: the others need this member
  std::exception_ptr error() const override;
  UsedMemories memory() const override;
  CallKind kind() const override { return play_.call(); }
  std::uint64_t number() const override { return number_; }
  std::string name() const override;
  Doing::Call describe() const override;
  bool sends_more() const override { return !ended(); }

  // The memory that such a call uses.
  static UsedMemories memory_of(const Call& call, Rank me);

 protected:
  void start(Looks& looks) override { play_.begin(looks); }
  const Call& call() const { return *call_; }

 private:
  FaultPointer fault_of_play() const;

  const std::shared_ptr<const Call> call_;
  const std::shared_ptr<const Solution> solution_;
  const std::uint64_t number_;
  Play play_;
};

}  // namespace cohort::detail
