// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/pending_collective.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {
namespace {

std::string words_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& exception) {
    return std::string(": ") + exception.what();
  } catch (...) {
    return "";
  }
}

PlayMemory play_memory_of(const Call& call) {
  return {call.input.data, call.output.data, call.element_bytes, &call.reduction};
}

Envelope envelope_of(const GroupState& group, const Call& call, std::uint64_t number) {
  if (call.operation == Operation::group) return {group.id(), 0, Channel::setup};
  return {group.id(), number, Channel::collective};
}

}  // namespace

PendingCollective::PendingCollective(std::shared_ptr<GroupState> state, PlannedCall planned)
    : Pending(std::move(state)),
      planned_(std::move(planned)),
      number_(this->group().calls().made(planned_.made)),
      play_(
          runtime().messenger(), planned_.solution->schedule, group().members(), play_memory_of(call()),
          envelope_of(group(), call(), number_), planned_.made.kind,
          [this] { group().fail_and_tell(fault_of_play(), play_.failed_peer()); }, [this] { may_have_ended(); }) {
  group().plays(planned_.solution);
}

// The caller of an operator that throws gets the exception. The other members' error names the rank at which it was
// thrown.
FaultPointer PendingCollective::fault_of_play() const {
  if (!play_.exception()) return play_.fault();
  Fault fault = *play_.fault();
  fault.cause += " at " + group().describe(runtime().job().me) + words_of(play_.exception());
  return std::make_shared<const Fault>(std::move(fault));
}

// A member that made another call may have sent a message for which no receive waits here yet.
void PendingCollective::look_for_mismatch() {
  Pid caller = -1;
  const Envelope envelope = envelope_of(group(), call(), number_);
  const FaultPointer fault = runtime().messenger().other_call(envelope, kind(), caller);
  if (fault) group().fail_and_tell(fault, caller);
}

void PendingCollective::cancel(const FaultPointer& fault) { group().fail_and_tell(fault, -1); }

std::exception_ptr PendingCollective::error() const {
  if (play_.exception()) return play_.exception();
  if (!play_.fault()) return nullptr;
  return as_error(play_.fault(), call().operation, number_, play_.failed_peer(), place_of(call()));
}

std::string PendingCollective::name() const {
  return fmt::format("{} #{} on group {} (called at {})", name_of(call().operation), number_, to_string(group().id()),
                     place_of(call()));
}

Doing::Call PendingCollective::describe() const {
  const Envelope envelope = envelope_of(group(), call(), number_);
  Doing::Call told;
  told.operation = call().operation;
  told.group = group().id();
  told.rank = group().me();
  told.channel = envelope.channel;
  told.number = number_;
  const std::string algorithm = to_string(planned_.solution->choice);
  told.algorithm = algorithm.substr(algorithm.find('/') + 1);
  told.where = place_of(call());
  play_.describe(told);
  return told;
}

UsedMemories PendingCollective::memory() const { return memory_of(call(), group().me()); }

UsedMemories PendingCollective::memory_of(const Call& call, Rank me) {
  const auto used = [&](const Memory& memory, bool written) {
    return UsedMemory{memory.data, static_cast<std::size_t>(memory.count) * call.element_bytes, written};
  };
  if (call.operation == Operation::bcast) return {used(call.output, call.root != me), UsedMemory{}};
  return {used(call.input, false), used(call.output, true)};
}

}  // namespace cohort::detail
