// SPDX-License-Identifier: Apache-2.0
// A message of a channel in develop mode. The two ends compare the types of the elements. The sender states the line of
// its call. A receive_any is recorded, or takes its message from the recorded source.
#pragma once

#include "runtime/calls/pending_messages.hpp"
#include "runtime/develop/develop_mode.hpp"

namespace cohort::detail {

class CheckedMessages : public PendingMessages {
 public:
  // The mode outlives the operation. Throws Error(mismatch) if the replayed record has no source for it.
  CheckedMessages(std::shared_ptr<GroupState> group, const Letter* out, const Letter* in, DevelopMode& mode);

  void fail(const FaultPointer& fault, Pid peer) override;
  bool cancel_unmet() override;

 private:
  void start(Looks& looks) override;
  void met(const Transfer& transfer, const Origin& origin) override;
  void transfer_ended(Transfer& transfer) override;
  void follow_record();
  void record();  // the source of a receive_any

  DevelopMode& mode_;
  std::uint64_t number_ = 0;        // of a receive_any, from 0
  std::uint64_t called_after_ = 0;  // collectives of both ends before the receive, as Overlaps counts them
};

}  // namespace cohort::detail
