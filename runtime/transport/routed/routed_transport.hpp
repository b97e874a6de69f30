// A transport that takes each peer by one of several others: the processes of this host by one, the rest by another.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

// `route` says, by pid, the number of the transport that takes this peer; two peers say the same of each other. What it
// says of this process means nothing. Each transport knows all the processes, and has a descriptor to wait for
// (Pollable); to the others' peers it has no link. The first one's clock counts.
std::unique_ptr<Transport> make_routed_transport(std::vector<std::unique_ptr<Transport>> transports,
                                                 std::vector<std::size_t> route);

}  // namespace cohort
