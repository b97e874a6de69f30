// A message of a channel in develop mode. Its ends compare the types of the elements; the sender says where it was
// called; a receive that names no source takes its place in the record, or the source that is recorded for it.
#pragma once

#include "runtime/calls/pending_messages.hpp"
#include "runtime/develop/develop_checks.hpp"

namespace cohort::detail {

class CheckedMessages : public PendingMessages {
 public:
  // The checks outlive it. Throws Error(mismatch) if the record that is replayed has no source for it.
  CheckedMessages(std::shared_ptr<GroupState> group, const Letter* out, const Letter* in, DevelopChecks& checks);

  void fail(const FaultPointer& fault, Pid peer) override;

 private:
  void start() override;
  void met(const Transfer& transfer, const Origin& origin) override;
  void transfer_ended(Transfer& transfer) override;
  void follow_record();
  void record();  // whom a receive_any has taken its message from

  DevelopChecks& checks_;
  std::uint64_t number_ = 0;        // of a receive_any, from 0
  std::uint64_t called_after_ = 0;  // so many collectives of both ends, as Overlaps counts them
};

}  // namespace cohort::detail
