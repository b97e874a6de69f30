// What messages within a host cost where nobody has measured it.
#pragma once

#include "collectives/network.hpp"

namespace cohort {

// As on machines of two to sixteen cores of the years around 2020, over the loopback interface.
Network typical_within_host(int processes, int cores);

// Between hosts that are one machine, if there are more processes than cores: what all of them share. The rest of what
// a short message took, while they started, was the work of others.
void share_cores(Network& network, int processes, int cores);

}  // namespace cohort
