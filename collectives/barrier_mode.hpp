// SPDX-License-Identifier: Apache-2.0
// Barrier mode: no rank completes a collective operation before every rank has started it. Operations whose data imply
// this stay as they are. The others get signals before or after the operation:
//   bcast, scatter                     before: up a tree to the root
//   reduce, gather                     after: down a tree from the root
//   prefix, exclusive_prefix           after: down a tree from the highest rank, which has data of all ranks
//   shift; operations with empty data at some rank; operations in which a rank can't know whether another's data are
//   empty (index with sizes for each pair)                        before: a sync
// The tree is the faster one on the problem's network: that of recursive halving or, with long latencies, a Fibonacci
// tree. If both take equally long, the tree is that of recursive halving, because short data use it too
// (docs/decisions/losses.md).
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

Schedule in_barrier_mode(const Algorithm& algorithm, const Problem& problem, Rank me);

// Adds the signals to a schedule that is made already. The problem may know more about hosts than the schedule.
Schedule with_signals(Schedule schedule, const Problem& problem, Rank me);

// The cost and time of the signals before or after the operation; none if the problem does not ask for them.
struct SignalsPrice {
  Cost cost;
  double seconds = 0;
};
SignalsPrice price_of_signals(const Problem& problem);

}  // namespace cohort
