// SPDX-License-Identifier: Apache-2.0
// A collective in progress: the engine plays its schedule.
#pragma once

#include <memory>
#include <string>

#include "runtime/calls/pending.hpp"
#include "runtime/calls/planned_call.hpp"
#include "runtime/calls/play.hpp"

namespace cohort::detail {

class PendingCollective : public Pending {
 public:
  // Takes the number of the group's next call.
  PendingCollective(std::shared_ptr<GroupState> group, PlannedCall planned);
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
  const Call& call() const { return *planned_.call; }
  const Task& task() const { return planned_.solution->task; }

 private:
  FaultPointer fault_of_play() const;

  const PlannedCall planned_;
  const std::uint64_t number_;
  Play play_;
};

}  // namespace cohort::detail
