// Barrier mode: no rank completes a collective operation before every rank has started it. Operations whose data imply
// that are left as they are; the others get signals before or after:
//   bcast, scatter                     before: up a tree to the root
//   reduce, gather                     after: down a tree from the root
//   prefix, exclusive_prefix           after: down a tree from the highest rank, which heard from all
//   shift, and any operation in which some rank's data are empty, or in which one rank can't know whether another's
//   are (index with sizes for each pair)                          before: a sync
// The tree is the one that is the faster on the problem's network: that of recursive halving or, where latencies are
// long, a Fibonacci tree. Where both take as long it is the former, along which short data pass, too: decision 51.
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

Schedule in_barrier_mode(const Algorithm& algorithm, const Problem& problem, Rank me);

// The same, of a schedule that is made already. The problem may know more of hosts than the schedule was made with.
Schedule with_signals(Schedule schedule, const Problem& problem, Rank me);

// What the signals take, before all else or after it; nothing where the problem does not ask for them.
struct SignalsPrice {
  Cost cost;
  double seconds = 0;
};
SignalsPrice price_of_signals(const Problem& problem);

}  // namespace cohort
