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

PendingCollective::PendingCollective(std::shared_ptr<GroupState> state, std::shared_ptr<const Call> call,
                                     const MadeCall& made, std::shared_ptr<const Solution> solution)
    : Pending(std::move(state)),
      call_(std::move(call)),
      solution_(std::move(solution)),
      number_(this->group().calls().made(made)),
      play_(
          runtime().messenger(), solution_->schedule, group().members(), play_memory_of(*call_),
          envelope_of(group(), *call_, number_), made.kind,
          [this] { group().fail_and_tell(fault_of_play(), play_.failed_peer()); }, [this] { may_have_ended(); }) {
  group().plays(solution_);
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
  const Envelope envelope = envelope_of(group(), *call_, number_);
  const FaultPointer fault = runtime().messenger().other_call(envelope, kind(), caller);
  if (fault) group().fail_and_tell(fault, caller);
}

void PendingCollective::cancel(const FaultPointer& fault) { group().fail_and_tell(fault, -1); }

std::exception_ptr PendingCollective::error() const {
  if (play_.exception()) return play_.exception();
  if (!play_.fault()) return nullptr;
  return as_error(play_.fault(), call_->operation, number_, play_.failed_peer(), place_of(*call_));
}

std::string PendingCollective::name() const {
  return fmt::format("{} #{} on group {} (called at {})", name_of(call_->operation), number_, to_string(group().id()),
                     place_of(*call_));
}

Doing::Call PendingCollective::describe() const {
  const Envelope envelope = envelope_of(group(), *call_, number_);
  Doing::Call call;
  call.operation = call_->operation;
  call.group = group().id();
  call.rank = group().me();
  call.channel = envelope.channel;
  call.number = number_;
  const std::string algorithm = to_string(solution_->choice);
  call.algorithm = algorithm.substr(algorithm.find('/') + 1);
  call.where = place_of(*call_);
  play_.describe(call);
  return call;
}

UsedMemories PendingCollective::memory() const { return memory_of(*call_, group().me()); }

UsedMemories PendingCollective::memory_of(const Call& call, Rank me) {
  const auto used = [&](const Memory& memory, bool written) {
    return UsedMemory{memory.data, static_cast<std::size_t>(memory.count) * call.element_bytes, written};
  };
  if (call.operation == Operation::bcast) return {used(call.output, call.root != me), UsedMemory{}};
  return {used(call.input, false), used(call.output, true)};
}

}  // namespace cohort::detail
