// SPDX-License-Identifier: Apache-2.0
// The networks for tests of the choice.
#pragma once

#include "collectives/network.hpp"

namespace cohort {

inline constexpr Network networks[] = {
    {},
    {.alpha = 4e-6, .beta = 0.25e-9, .gamma = 0.1e-9},
    {.alpha = 4e-6, .beta = 0.25e-9, .gamma = 0.1e-9, .shared_alpha = 2e-6, .shared_beta = 0.15e-9},
    {.alpha = 2e-6, .beta = 80e-9, .latency = 50e-6},
    {.alpha = 12e-6, .beta = 80e-9, .shared_alpha = 17e-6, .burst = 12e3},
    {.alpha = 12e-6, .beta = 80e-9, .latency = 40e-6, .burst = 10e3},
    {.alpha = 0, .beta = 1e-9, .gamma = 5e-9}};

}  // namespace cohort
