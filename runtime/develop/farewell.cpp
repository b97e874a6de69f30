#include "runtime/develop/farewell.hpp"

#include <fmt/format.h>

#include <exception>
#include <vector>

#include "cohort/detail/calls.hpp"
#include "cohort/operators.hpp"
#include "runtime/where.hpp"

namespace cohort::detail {
namespace {

std::string never_received(const Runtime& runtime, Pid from, const FrameHeader& header, const std::string& where) {
  return fmt::format("a message of {} bytes from {} with tag {} in group {}, sent at {}, was never received",
                     header.length, runtime.describe(from), header.tag, to_string(header.group), where);
}

void complain_of_requests(Runtime& runtime) {
  const Runtime::Lock lock(runtime);
  runtime.for_each_pending([&](const Pending& pending) {
    if (!pending.ended()) runtime.complain(pending.name() + " was still in progress when its process left the job");
  });
}

void complain_of_leftovers(Runtime& runtime) {
  runtime.messenger().for_each_unexpected([&](Pid from, const FrameHeader& header, const std::string& where) {
    if (header.channel == Channel::user) runtime.complain(never_received(runtime, from, header, where));
  });
  for (const std::string& words : runtime.receive_order().missing()) runtime.complain(words);
  for (const auto& [pid, call] : runtime.lists().unmet())
    runtime.complain(fmt::format("{} never called {}", runtime.describe(pid), call.words));
}

}  // namespace

// A message that was sent whole keeps nobody waiting: it is told of when all leave. Where this process itself makes
// all() fail, it does not wait there for the others either.
void Farewell::look_for_mismatch() {
  FaultPointer ours;
  runtime().messenger().for_each_unexpected([&](Pid from, const FrameHeader& header, const std::string&) {
    const bool leaves = header.channel == Channel::agreement || header.call.operation == Operation::leave;
    if (leaves && header.group == group().id()) return;  // as this one does
    if (header.channel == Channel::user && header.transfer == 0) return;
    if (!told_.emplace(from, header.group).second) return;
    const FaultPointer& cause = runtime().latest_group_fault();
    const Fault fault{ErrorCode::mismatch, fmt::format("{} has left the job ({}) and calls nothing more{}",
                                                       runtime().describe(runtime().job().me), to_string(call().where),
                                                       cause ? ", after a group of its failed: " + cause->cause : "")};
    runtime().messenger().tell_failure(from, header.group, fault, true);
    if (header.group == group().id()) ours = std::make_shared<const Fault>(fault);
  });
  if (ours) group().break_off(ours, -1);
}

void settle(const std::shared_ptr<GroupState>& all, const Where& where) {
  Runtime& runtime = all->runtime();
  {
    const Runtime::Lock lock(runtime);
    if (runtime.left() || all->fault()) return;  // an error said so before
  }
  complain_of_requests(runtime);
  std::vector<std::int64_t> sent;
  {
    const Runtime::Lock lock(runtime);
    sent = runtime.messenger().sent();
  }
  std::int64_t expected = 0;
  Call call = reduction_call_of<std::int64_t>(Operation::leave, memory_of(sent), memory_of_value(expected), sum, where);
  run({all, {}}, std::move(call));

  Runtime::Lock lock(runtime);
  runtime.wait_until(lock, [&] { return runtime.messenger().arrived() >= expected || runtime.has_lost_somebody(); });
  complain_of_leftovers(runtime);
}

void look_back(GroupState& group) {
  Runtime& runtime = group.runtime();
  // An error said so before, or took away who would have received them.
  if (runtime.left() || group.fault() || runtime.has_lost_somebody() || std::uncaught_exceptions() > 0) return;
  std::vector<std::string> messages;
  runtime.messenger().for_each_unexpected([&](Pid from, const FrameHeader& header, const std::string& where) {
    if (header.channel == Channel::user && header.group == group.id())
      messages.push_back(never_received(runtime, from, header, where));
  });
  if (messages.empty()) return;
  for (const std::string& words : messages) runtime.complain(words);
  const std::string cause =
      fmt::format("{}: {} has let go of the group", messages.front(), runtime.describe(runtime.job().me));
  group.break_off(std::make_shared<const Fault>(Fault{ErrorCode::mismatch, cause}), -1);
}

}  // namespace cohort::detail
