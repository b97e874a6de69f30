// All-to-all personalised exchange, one partner each way a round.
// Cost: (p - 1) alpha + (p - 1) / p beta m: the least volume. Sizes may differ for every pair: each rank knows its own.
// Source: CCL section 4.2 (radix p); Watts 1994.
#include <algorithm>

#include "collectives/index/index.hpp"
#include "collectives/peers.hpp"

namespace cohort::index {

namespace {

// Measured on 16 hosts: with more partners at once, blocks of 1 MiB took up to a fifth longer.
constexpr std::size_t partners_at_once = 3;
constexpr Count long_block_bytes = 64 * 1024;

// Who is early sends to one that still receives from another; both take twice as long, and those who wait for them are
// late in turn. So blocks that take so long on the wire leave on request, one at a time. A request waits for 2 ms
// behind what its sender sends itself.
constexpr double worth_a_request_s = 40e-3;

void take_turns(Schedule& schedule, const Problem& problem) {
  const Count bytes = problem.blocks.largest() * problem.element_bytes;
  if (problem.network.beta * static_cast<double>(bytes) > worth_a_request_s) {
    schedule.keep_in_progress(1);
    schedule.send_on_request();
  } else if (bytes > long_block_bytes) {
    schedule.keep_in_progress(partners_at_once);
  }
}

}  // namespace

Schedule pairwise(const Problem& problem, Rank me) {
  Schedule schedule;
  take_turns(schedule, problem);
  schedule.add_rounds(
      static_cast<std::size_t>(problem.ranks),
      [p = problem.ranks, me, out = problem.blocks, in = problem.receive_blocks](std::size_t distance, Round& round) {
        const Rank to = modulo(me + static_cast<std::int64_t>(distance), p);
        const Rank from = modulo(me - static_cast<std::int64_t>(distance), p);
        if (distance == 0) {
          round.copy(in.block(Buffer::output, me), out.block(Buffer::input, me));
        } else {
          round.send(to, out.block(Buffer::input, to));
          round.receive(from, in.block(Buffer::output, from));
        }
      });
  return schedule;
}

Cost pairwise_cost(const Problem& problem) {
  Cost cost = costs::direct(problem);
  cost.overlapped = std::max<Count>(cost.rounds - 1, 0);
  return cost;
}

}  // namespace cohort::index
