// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/take_turns.hpp"

#include "collectives/problem.hpp"

namespace cohort {

namespace {

// Measured on 16 hosts: with more partners at once, blocks of 1 MiB took up to a fifth longer
// (docs/decisions/when_messages_leave.md).
constexpr std::size_t partners_at_once = 3;
constexpr Count long_block_bytes = 64 * 1024;

// Seconds on the wire. A rank that is early sends to a rank that still receives from another one. Then both messages
// take twice as long, and the ranks that wait for them become late, too. So longer blocks leave on request, one at a
// time. A request waits for 2 ms behind the data that its own sender sends (docs/decisions/when_messages_leave.md).
constexpr double worth_a_request_s = 15e-3;

}  // namespace

void take_turns(Schedule& schedule, const Problem& problem) {
  const Count bytes = problem.blocks.largest() * problem.element_bytes;
  if (problem.network.beta * static_cast<double>(bytes) > worth_a_request_s) {
    schedule.keep_in_progress(1);
    schedule.send_on_request();
  } else if (bytes > long_block_bytes) {
    schedule.keep_in_progress(partners_at_once);
  }
}

}  // namespace cohort
