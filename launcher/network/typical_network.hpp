// SPDX-License-Identifier: Apache-2.0
// The cost of messages within a host, if it was not measured.
#pragma once

#include "collectives/network.hpp"

namespace cohort {

// Figures of machines with two to sixteen cores of the years around 2020: through the host's memory, or over its
// loopback interface.
Network typical_within_host(int processes, int cores, bool through_memory = true);

// For hosts on one machine that has fewer cores than the job has processes: sets the costs that the processes share.
// Replaces the measured time of a short round, which also contains other work during the start.
void share_cores(Network& network, int processes, int cores);

}  // namespace cohort
