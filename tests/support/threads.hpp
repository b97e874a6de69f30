// SPDX-License-Identifier: Apache-2.0
// Ranks as threads.
#pragma once

#include <functional>

#include "cohort/types.hpp"

namespace cohort::testing {

// Runs the body for each rank in a thread of its own; throws the first exception by rank.
void run_in_threads(Pid ranks, const std::function<void(Pid me)>& body);

}  // namespace cohort::testing
