// SPDX-License-Identifier: Apache-2.0
// The first phase of an exchange of unequal blocks in hops, played on numbers.
#pragma once

#include <span>

#include "collectives/problem.hpp"

namespace cohort::verifier {

// Sets the transit_sizes of all ranks' problems, from their blocks.
void exchange_transit_sizes(std::span<Problem> ranks);

}  // namespace cohort::verifier
