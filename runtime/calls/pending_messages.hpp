// SPDX-License-Identifier: Apache-2.0
// A message of a channel in progress: one out, one in, or both at once.
#pragma once

#include <optional>
#include <string>

#include "runtime/calls/pending.hpp"
#include "runtime/messages/transfer.hpp"

namespace cohort::detail {

Envelope envelope_of(const GroupState& group, const Letter& letter);

class PendingMessages : public Pending, protected TransferOwner {
 public:
  PendingMessages(std::shared_ptr<GroupState> group, const Letter* out, const Letter* in);

  bool ended() const override { return active_ == 0; }
  Pid waits_for() const override { return receives() ? receive_->peer : send_ ? send_->peer : -1; }
  void fail(const FaultPointer& fault, Pid peer) override;
  std::exception_ptr error() const override;
  Count received() const override;
  Rank source() const override;
  std::uint32_t tag() const override { return receive_ ? static_cast<std::uint32_t>(receive_->envelope.tag) : 0; }
  bool cancel_unmet() override;
  UsedMemories memory() const override;
  CallKind kind() const override { return {letter_.operation}; }
  std::string name() const override;
  Doing::Call describe() const override;
  bool sends_more() const override { return send_ && send_->active(); }

 protected:
  void start(Looks& looks) override;
  void transfer_ended(Transfer& transfer) override;
  bool receives() const { return receive_ && receive_->active(); }

  Letter letter_;  // for error messages: the receive, if there is one
  std::optional<SendTransfer> send_;
  std::optional<ReceiveTransfer> receive_;

 private:
  void address(Transfer& transfer, const Letter& letter);

  std::size_t element_bytes_ = 1;
  int active_ = 0;
  FaultPointer fault_;
  Pid failed_peer_ = -1;
};

}  // namespace cohort::detail
