// Barrier mode: no rank completes a collective operation before every rank has started it. Operations whose data imply
// that are left as they are; the others get signals before or after:
//   bcast, scatter                     before: up a tree to the root
//   reduce, gather                     after: down a tree from the root
//   prefix, exclusive_prefix           after: down a tree from the highest rank, which heard from all
//   shift, and any operation in which some rank's data are empty, or in which one rank can't know whether another's
//   are (index with sizes for each pair)                          before: a sync
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

Schedule in_barrier_mode(const Algorithm& algorithm, const Problem& problem, Rank me);

}  // namespace cohort
