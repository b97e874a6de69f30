// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/doing_message.hpp"

#include <unistd.h>

#include "proto/process.pb.h"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

namespace wire = process::v1;

void write(const Doing::Call& call, wire::Call& message) {
  message.set_operation(std::string(name_of(call.operation)));
  cohort::write(call.group, *message.mutable_group());
  message.set_rank(call.rank);
  message.set_channel(static_cast<std::uint32_t>(call.channel));
  message.set_number(call.number);
  message.set_algorithm(call.algorithm);
  message.set_round(call.round);
  message.set_tag(call.tag);
  message.set_where(call.where);
  for (const Doing::Awaited& awaited : call.awaited) {
    wire::Awaited& entry = *message.add_awaited();
    entry.set_pid(awaited.pid);
    entry.set_rank(awaited.rank);
    entry.set_out(awaited.out);
    entry.set_standing(awaited.standing);
  }
  message.set_partial(call.partial);
  message.set_any(call.any);
}

wire::Doing::Reason reason_of(Doing::Reason reason) {
  switch (reason) {
    case Doing::Reason::asked:
      return wire::Doing::ASKED;
    case Doing::Reason::blocked:
      return wire::Doing::BLOCKED;
    case Doing::Reason::impatient:
      return wire::Doing::IMPATIENT;
  }
  return wire::Doing::ASKED;
}

}  // namespace

void write(const Doing& doing, wire::Doing& message) {
  message.set_reason(reason_of(doing.reason));
  message.set_question(doing.question);
  for (const Doing::Call& call : doing.calls) write(call, *message.add_calls());
  for (const Doing::Wait& wait : doing.waits) {
    wire::Wait& entry = *message.add_waits();
    entry.set_number(wait.number);
    entry.set_seconds(wait.seconds);
    *entry.mutable_calls() = {wait.calls.begin(), wait.calls.end()};
    entry.set_partial(wait.partial);
    entry.set_what(wait.what);
  }
  message.set_away(doing.away_s);
  message.set_left(doing.left);
  message.set_entries(doing.entries);
  message.set_threads(doing.threads);
  for (const Doing::Traffic& traffic : doing.traffic) {
    wire::Traffic& entry = *message.add_traffic();
    entry.set_pid(traffic.pid);
    entry.set_sent(traffic.sent);
    entry.set_received(traffic.received);
  }
  for (const Doing::Calls& calls : doing.groups) {
    wire::Calls& entry = *message.add_groups();
    write(calls.group, *entry.mutable_group());
    entry.set_number(calls.number);
  }
  message.set_partial(doing.partial);
  message.set_lists(doing.lists);
  message.set_process(::getpid());
}

}  // namespace cohort
