// SPDX-License-Identifier: Apache-2.0
// Describes in words how a message differs from its receive, or one call from another.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cohort/detail/elements.hpp"
#include "collectives/problem.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/messages/peer.hpp"

namespace cohort {

std::string to_string(const CallKind& call) {
  std::string text(name_of(call.operation));
  if (has_root(call.operation)) text += " with root " + std::to_string(call.argument);
  if (call.operation == Operation::shift) text += " by " + std::to_string(call.argument);
  return text;
}

std::string difference(const std::string& peer, const std::string& theirs, const std::string& me,
                       const std::string& mine) {
  return fmt::format("{} called {} where {} called {}", peer, theirs, me, mine);
}

std::string difference(const std::string& peer, const CallKind& theirs, const std::string& me, const CallKind& mine) {
  const bool types = theirs.type != mine.type, operators = theirs.reduction != mine.reduction;
  if (theirs.operation != mine.operation || theirs.argument != mine.argument || (!types && !operators))
    return difference(peer, to_string(theirs), me, to_string(mine));
  const auto in_full = [](const CallKind& call) {
    return to_string(call) + " of " + detail::name_of_type(call.type) +
           (call.reduction != 0 ? ", " + detail::name_of_operator(call.reduction) : "");
  };
  return fmt::format("{}: the {} differ", difference(peer, in_full(theirs), me, in_full(mine)),
                     !operators ? "element types"
                     : !types   ? "operators"
                                : "element types and operators");
}

FaultPointer Messenger::mismatch(const GroupId& group, Pid peer, const CallKind& theirs, const CallKind& ours) const {
  return std::make_shared<const Fault>(Fault{
      ErrorCode::mismatch, difference(listener_.describe(group, peer), theirs, listener_.describe(group, me_), ours)});
}

FaultPointer Messenger::other_call(const Envelope& envelope, const CallKind& call, Pid& caller) const {
  for (const std::unique_ptr<Peer>& peer : peers_) {
    const Unexpected* message = peer ? peer->unexpected.find(envelope) : nullptr;
    if (message == nullptr || message->message.call == call) continue;
    caller = peer->pid;
    return mismatch(envelope.group, peer->pid, message->message.call, call);
  }
  return nullptr;
}

// The fault of a channel's message whose element type differs from its receive's. An empty message fits any type.
FaultPointer Messenger::other_elements(const ReceiveTransfer& transfer, const frames::Message& message,
                                       const Origin& origin) const {
  const std::uint32_t theirs = message.call.type, ours = transfer.call.type;
  if (theirs == 0 || ours == 0 || message.length == 0) return nullptr;
  const GroupId& group = transfer.envelope.group;
  return std::make_shared<const Fault>(Fault{
      ErrorCode::mismatch, fmt::format("{} sent elements of type {}{} where {} receives {}: the element types differ",
                                       listener_.describe(group, transfer.peer), detail::name_of_type(theirs),
                                       origin.where.empty() ? "" : " at " + origin.where,
                                       listener_.describe(group, me_), detail::name_of_type(ours))});
}

FaultPointer Messenger::misfit(const ReceiveTransfer& transfer, const frames::Message& message,
                               const Origin& origin) const {
  const GroupId& group = transfer.envelope.group;
  if (transfer.exact && message.call != transfer.call) {
    return mismatch(group, transfer.peer, message.call, transfer.call);
  }
  if (!transfer.exact && message.call.type != transfer.call.type) {
    if (FaultPointer fault = other_elements(transfer, message, origin)) return fault;
  }
  if (transfer.exact && message.length != transfer.capacity) {
    return std::make_shared<const Fault>(Fault{
        ErrorCode::mismatch,
        fmt::format("{} sent {} bytes where {} expects {}: the sizes differ", listener_.describe(group, transfer.peer),
                    message.length, listener_.describe(group, me_), transfer.capacity)});
  }
  if (message.length > transfer.capacity) {
    return std::make_shared<const Fault>(Fault{
        ErrorCode::truncated, fmt::format("the message of {} bytes from {} does not fit into {} bytes", message.length,
                                          listener_.describe(group, transfer.peer), transfer.capacity)});
  }
  return nullptr;
}

}  // namespace cohort
