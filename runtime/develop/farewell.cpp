// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/farewell.hpp"

#include <fmt/format.h>

#include <exception>
#include <vector>

#include "cohort/detail/calls.hpp"
#include "cohort/operators.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {
namespace {

std::string never_received(const Runtime& runtime, Pid from, const frames::Message& message, const std::string& where) {
  return fmt::format("a message of {} bytes from {} with tag {} in group {}, sent at {}, was never received",
                     message.length, runtime.describe(from), message.envelope.tag, to_string(message.envelope.group),
                     where);
}

void complain_of_requests(Runtime& runtime) {
  const Runtime::Lock lock(runtime);
  runtime.for_each_pending([&](const Pending& pending) {
    if (!pending.ended())
      runtime.complaints().add(pending.name() + " was still in progress when its process left the job");
  });
}

void complain_of_leftovers(const DevelopMode& mode, Runtime& runtime) {
  runtime.messenger().for_each_unexpected([&](Pid from, const frames::Message& message, const std::string& where) {
    if (message.envelope.channel == Channel::user)
      runtime.complaints().add_of_message(from, never_received(runtime, from, message, where));
  });
  for (const std::string& words : mode.receive_order.missing()) runtime.complaints().add(words);
  for (const auto& [pid, call] : mode.lists.unmet())
    runtime.complaints().add(fmt::format("{} never called {}", runtime.describe(pid), call.words));
}

// Each process passes a value for each process, by pid. Returns the combination of all values for this process.
template <class Op>
std::int64_t exchange(const std::shared_ptr<GroupState>& all, const std::vector<std::int64_t>& for_each, const Op& op,
                      const Where& where) {
  std::int64_t for_me = 0;
  run({all, {}},
      reduction_call_of<std::int64_t>(Operation::leave, memory_of(for_each), memory_of_value(for_me), op, where));
  return for_me;
}

// Tells the senders of messages that were never received.
void tell_the_ignored(const std::shared_ptr<GroupState>& all, const Where& where) {
  Runtime& runtime = all->runtime();
  std::vector<std::int64_t> ignored(static_cast<std::size_t>(all->members().size()), -1);
  {
    const Runtime::Lock lock(runtime);
    for (const Pid pid : runtime.complaints().ignored()) ignored[static_cast<std::size_t>(pid)] = runtime.job().me;
  }
  const auto by = static_cast<Pid>(exchange(all, ignored, maximum, where));
  if (by < 0 || by == runtime.job().me) return;  // a process that ignored its own message has complained already
  const Runtime::Lock lock(runtime);
  runtime.complaints().add(
      fmt::format("{} never received a message from this process; its own error says which", runtime.describe(by)));
}

}  // namespace

// Tells processes that wait for this one that it has left. A message that was sent whole makes nobody wait: it is
// reported when all leave. If all() itself fails here, this process stops waiting for the others there, too.
void Farewell::look_for_mismatch() {
  FaultPointer ours;
  runtime().messenger().for_each_unexpected([&](Pid from, const frames::Message& message, const std::string&) {
    const bool leaves = message.envelope.channel == Channel::agreement || message.call.operation == Operation::leave;
    if (leaves && message.envelope.group == group().id()) return;  // as this one does
    if (message.envelope.channel == Channel::user && message.transfer == 0) return;
    if (!told_.emplace(from, message.envelope.group).second) return;
    const FaultPointer& cause = mode_.latest_group_fault;
    const Fault fault{ErrorCode::mismatch, fmt::format("{} has left the job ({}) and calls nothing more{}",
                                                       runtime().describe(runtime().job().me), place_of(call()),
                                                       cause ? ", after a group of its failed: " + cause->cause : "")};
    runtime().tell_failure(from, message.envelope.group, fault, true);
    if (message.envelope.group == group().id()) ours = std::make_shared<const Fault>(fault);
  });
  if (ours) group().fail_and_tell(ours, -1);
}

void settle(const DevelopMode& mode, const std::shared_ptr<GroupState>& all, const Where& where) {
  Runtime& runtime = all->runtime();
  {
    const Runtime::Lock lock(runtime);
    if (runtime.left() || all->fault()) return;  // an earlier error said so
  }
  complain_of_requests(runtime);
  std::vector<std::int64_t> sent;
  {
    const Runtime::Lock lock(runtime);
    sent = runtime.messenger().sent();
    mode.lists.add_sent(sent);
  }
  const std::int64_t expected = exchange(all, sent, sum, where);
  {
    Runtime::Lock lock(runtime);
    const auto arrived = [&] { return runtime.messenger().arrived() + mode.lists.arrived(); };
    runtime.wait_until(lock, [&] { return arrived() >= expected || runtime.has_lost_somebody(); });
    complain_of_leftovers(mode, runtime);
  }
  tell_the_ignored(all, where);
}

void look_back(GroupState& group) {
  Runtime& runtime = group.runtime();
  // Either an earlier error said so, or the members that would have received them are lost.
  if (runtime.left() || group.fault() || runtime.has_lost_somebody() || std::uncaught_exceptions() > 0) return;
  std::string first;
  runtime.messenger().for_each_unexpected([&](Pid from, const frames::Message& message, const std::string& where) {
    if (message.envelope.channel != Channel::user || message.envelope.group != group.id()) return;
    std::string words = never_received(runtime, from, message, where);
    if (first.empty()) first = words;
    runtime.complaints().add_of_message(from, std::move(words));
  });
  if (first.empty()) return;
  const std::string cause = fmt::format("{}: {} has let go of the group", first, runtime.describe(runtime.job().me));
  group.fail_and_tell(std::make_shared<const Fault>(Fault{ErrorCode::mismatch, cause}), -1);
}

}  // namespace cohort::detail
