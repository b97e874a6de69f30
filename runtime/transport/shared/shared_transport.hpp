// SPDX-License-Identifier: Apache-2.0
// The transport between the processes of one host: through memory that they share (host_memory.hpp).
//
// Each ordered pair has a ring (ring.hpp). Short frames travel in it whole, in one or a few lines, and longer ones in
// parts: the receiver copies one part while the sender copies the next. Of a long frame only a reference may travel
// instead, if the receiver can read the sender's memory: then the payload is copied once, straight to its landing.
#pragma once

#include <memory>

#include "runtime/time_source.hpp"
#include "runtime/transport/endpoints.hpp"
#include "runtime/transport/shared/host_memory.hpp"
#include "runtime/transport/shared/shared_limits.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

// For the peers whose addresses name the same memory as this process's. It has no link to the others.
std::unique_ptr<Transport> make_shared_transport(const Endpoints& endpoints, std::shared_ptr<HostMemory> memory,
                                                 const SharedLimits& limits = {}, TimeSource time = steady_now);

}  // namespace cohort
