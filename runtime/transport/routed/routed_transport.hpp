// SPDX-License-Identifier: Apache-2.0
// A transport that uses one of several others for each peer: one for the processes of this host, another for the rest.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

// `route` holds, by pid, the number of the transport that takes this peer. Two peers must name the same one for each
// other. The entry for this process is not used. Each transport knows all processes and is Pollable; it has no link to
// the peers of the others. The first transport's clock counts.
std::unique_ptr<Transport> make_routed_transport(std::vector<std::unique_ptr<Transport>> transports,
                                                 std::vector<std::size_t> route);

}  // namespace cohort
