// What messages within a host cost where nobody has measured it.
#pragma once

#include "collectives/network.hpp"

namespace cohort {

// As on machines of two to sixteen cores of the years around 2020, over the loopback interface.
Network typical_within_host(int processes, int cores);

// Hosts that are one machine with fewer cores than processes share these cores: sets what the processes share. The rest
// of the measured time of a short message was other work during the start.
void share_cores(Network& network, int processes, int cores);

}  // namespace cohort
