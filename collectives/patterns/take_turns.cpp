#include "collectives/patterns/take_turns.hpp"

#include "collectives/problem.hpp"

namespace cohort {

namespace {

// Measured on 16 hosts: with more partners at once, blocks of 1 MiB took up to a fifth longer.
constexpr std::size_t partners_at_once = 3;
constexpr Count long_block_bytes = 64 * 1024;

// Who is early sends to one that still receives from another; both take twice as long, and those who wait for them are
// late in turn. So blocks that take so long on the wire leave on request, one at a time. A request waits for 2 ms
// behind what its sender sends itself.
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
