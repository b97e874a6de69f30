// SPDX-License-Identifier: Apache-2.0
// Begins calls: blocking, started, and prepared ones, which can be started again and again.
#include <functional>
#include <optional>
#include <utility>

#include "cohort/detail/message.hpp"
#include "runtime/calls/mode.hpp"
#include "runtime/calls/pending_collective.hpp"
#include "runtime/calls/pending_messages.hpp"
#include "runtime/calls/planned_call.hpp"
#include "runtime/calls/prepared_call.hpp"
#include "runtime/calls/problem_of.hpp"
#include "runtime/calls/send_at_once.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/later.hpp"

namespace cohort {
namespace detail {
namespace {

void throw_error_of(const Pending& pending) {
  if (const std::exception_ptr error = pending.error()) std::rethrow_exception(error);
}

// A pointer without a reference count, to an object that outlives the blocking call. In a program with threads, each
// count would be an atomic operation.
template <class T>
std::shared_ptr<T> borrowed(T& object) {
  return {std::shared_ptr<T>(), &object};
}

// Blocking calls take the mutex only once, and allocate no memory for the operation.
void complete(Runtime::Lock& lock, Pending& pending, Looks& looks) {
  Runtime& runtime = pending.runtime();
  runtime.begin(pending, looks);
  if (pending.ended()) {
    runtime.ended_at_once(looks);
  } else {
    runtime.wait(lock, pending);
  }
  pending.leave_group();
}

// Throws if the group has failed, or another thread is in a collective call on it. Under the mutex.
void check_ready(const GroupState& group, const Call& call) {
  group.check(call);
  group.check_alone(call.operation, call.where);
}

enum class Caller { goes_on, blocks };

// Under the mutex. `pending` must outlive the caller's lock, because its destructor takes the mutex.
void begin(std::shared_ptr<Pending>& pending, const std::shared_ptr<GroupState>& group, const PlannedCall& planned,
           Caller caller) {
  Runtime& runtime = group->runtime();
  check_ready(*group, *planned.call);
  pending = runtime.mode().collective(group, planned);
  if (caller == Caller::goes_on) {
    runtime.begin_alone(*pending);
  } else {
    group->blocks(*pending);
    runtime.begin(*pending);
  }
}

std::shared_ptr<Pending> plan_and_begin(const Handle& handle, const std::shared_ptr<Call>& call, Caller caller) {
  handle.group->check_entry(call->operation, call->where);
  std::shared_ptr<Pending> pending;
  const Runtime::Lock lock(handle.group->runtime());
  begin(pending, handle.group, plan(handle, call), caller);
  return pending;
}

// The messages that a call of a channel sends and receives; null: none.
struct Ends {
  const Letter* out;
  const Letter* in;

  const Letter& named() const { return in != nullptr ? *in : *out; }  // for errors; both name the call
};

void check(const GroupState& group, const Ends& ends) {
  if (ends.out != nullptr) check(group, *ends.out);
  if (ends.in != nullptr) check(group, *ends.in);
}

std::shared_ptr<Pending> begin_messages(const std::shared_ptr<GroupState>& group, const Ends& ends) {
  check(*group, ends);
  std::shared_ptr<Pending> pending;
  const Runtime::Lock lock(group->runtime());
  group->check(ends.named());
  pending = group->runtime().mode().messages(group, ends.out, ends.in);
  group->runtime().begin_alone(*pending);
  return pending;
}

Received begin_and_wait(const std::shared_ptr<GroupState>& group, const Ends& ends, Received* met) {
  Request request(begin_messages(group, ends));
  const auto received = [&] {
    return Received{request.source(), request.received(), static_cast<std::uint32_t>(request.tag())};
  };
  try {
    request.wait();
  } catch (const Error&) {
    if (met != nullptr) *met = received();
    throw;
  }
  return received();
}

std::uint64_t bytes_of(const Letter& letter) {
  return static_cast<std::uint64_t>(letter.memory.count) * letter.element_bytes;
}

// A short message may leave at once, and one that is there already is received at once. Then nothing is pending.
bool leaves_at_once(GroupState& group, const Letter& letter) {
  const ConstPiece data{letter.memory.data, bytes_of(letter)};
  if (!letter.pieces.empty() || letter.synchronous || data.size > Messenger::most_at_once) return false;
  return group.runtime().messenger().send_at_once(group.members().pid_of(letter.peer), envelope_of(group, letter),
                                                  {letter.operation}, {&data, 1});
}

bool receive_at_once(GroupState& group, const Letter& letter, Looks& looks, Received& received) {
  if (!letter.pieces.empty() || letter.any_tag || letter.operation == Operation::receive_any) return false;
  const Piece memory{letter.memory.data, bytes_of(letter)};
  const std::optional<std::uint64_t> length =
      group.runtime().messenger().receive_at_once({.from = group.members().pid_of(letter.peer),
                                                   .envelope = envelope_of(group, letter),
                                                   .memory = {&memory, 1},
                                                   .unit = letter.element_bytes},
                                                  looks);
  if (!length) return false;
  const bool filled = *length == memory.size;  // the usual case, cheaper than a division
  received = {letter.peer, filled ? letter.memory.count : static_cast<Count>(*length / letter.element_bytes),
              letter.tag};
  return true;
}

Received run_messages(const std::shared_ptr<GroupState>& group, Ends ends, Received* met = nullptr) {
  Runtime& runtime = group->runtime();
  if (runtime.mode().habits.agrees) return begin_and_wait(group, ends, met);
  check(*group, ends);
  Received received;
  Later<PendingMessages> pending;
  {
    Runtime::Lock lock(runtime);
    group->check(ends.named());
    Looks looks = runtime.first_looks();
    if (ends.out != nullptr && leaves_at_once(*group, *ends.out)) ends.out = nullptr;
    if (ends.out == nullptr && (ends.in == nullptr || receive_at_once(*group, *ends.in, looks, received))) {
      runtime.ended_at_once(looks);
      if (met != nullptr) *met = received;
      return received;
    }
    pending.emplace(borrowed(*group), ends.out, ends.in);
    complete(lock, *pending, looks);
  }
  received = {pending->source(), pending->received(), pending->tag()};
  if (met != nullptr) *met = received;
  throw_error_of(*pending);
  return received;
}

// A message that outlives its caller's list of pieces.
std::shared_ptr<const Message> keep(const Letter* letter) {
  if (letter == nullptr) return nullptr;
  return std::make_shared<const Message>(*letter, std::vector(letter->pieces.begin(), letter->pieces.end()));
}

// Throws an error of this call, whenever it is made.
template <class AnyCall>
auto refusal(const std::shared_ptr<GroupState>& group, const AnyCall& call) {
  return [group, operation = call.operation, place = place_of(call)](const std::string& what) {
    refuse(*group, operation, place, what);
  };
}

const Letter* letter_of(const std::shared_ptr<const Message>& kept) { return kept ? &kept->letter() : nullptr; }

}  // namespace

void run(const Handle& handle, Call&& call) {
  const std::shared_ptr<GroupState>& group = handle.group;
  if (group->runtime().mode().habits.agrees)
    return Request(plan_and_begin(handle, borrowed(call), Caller::blocks)).wait();
  group->check_entry(call.operation, call.where);
  Later<PendingCollective> pending;
  {
    Runtime::Lock lock(group->runtime());
    Looks looks = group->runtime().first_looks();
    PlannedCall planned = plan(handle, borrowed(call));
    check_ready(*group, call);
    pending.emplace(borrowed(*group), std::move(planned));
    group->blocks(*pending);
    complete(lock, *pending, looks);
  }
  throw_error_of(*pending);
}

Request start(const Handle& handle, Call&& call) {
  return Request(plan_and_begin(handle, std::make_shared<Call>(std::move(call)), Caller::goes_on));
}

Persistent prepare(const Handle& handle, Call&& call) {
  handle.group->check_entry(call.operation, call.where);
  auto prepared = std::make_shared<PreparedCall>();
  prepared->refuse = refusal(handle.group, call);
  const Runtime::Lock lock(handle.group->runtime());
  prepared->begin = [group = handle.group, planned = plan(handle, std::make_shared<Call>(std::move(call)))] {
    group->check_entry(planned.call->operation, planned.call->where);
    std::shared_ptr<Pending> pending;
    const Runtime::Lock entered(group->runtime());
    detail::begin(pending, group, planned, Caller::goes_on);
    return pending;
  };
  return Persistent(std::move(prepared));
}

Received run(const Shared<GroupState>& group, const Letter* out, const Letter* in, Received* met) {
  if (out == nullptr && in == nullptr) return {};
  return run_messages(group, {out, in}, met);
}

Request start(const Shared<GroupState>& group, const Letter* out, const Letter* in) {
  if (out == nullptr && in == nullptr) return {};
  return Request(begin_messages(group, {out, in}));
}

bool send_at_once(const Shared<GroupState>& group, const Letter& letter) {
  Runtime& runtime = group->runtime();
  if (runtime.mode().habits.agrees || bytes_of(letter) > Messenger::most_at_once) return false;
  check(*group, letter);
  const Runtime::Lock lock(runtime);
  group->check(letter);
  if (!leaves_at_once(*group, letter)) return false;
  runtime.drive_in_passing();
  return true;
}

Persistent prepare(const Shared<GroupState>& group, const Letter* out, const Letter* in) {
  const auto sent = keep(out), received = keep(in);
  check(*group, {letter_of(sent), letter_of(received)});
  auto prepared = std::make_shared<PreparedCall>();
  if (in != nullptr || out != nullptr) prepared->refuse = refusal(group, Ends{out, in}.named());
  prepared->begin = [group, sent, received]() -> std::shared_ptr<Pending> {
    if (!sent && !received) return nullptr;
    return begin_messages(group, {letter_of(sent), letter_of(received)});
  };
  return Persistent(std::move(prepared));
}

}  // namespace detail
}  // namespace cohort
