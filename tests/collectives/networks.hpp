// SPDX-License-Identifier: Apache-2.0
// The networks for tests of the choice, and a problem on one.
#pragma once

#include <algorithm>

#include "collectives/network.hpp"
#include "collectives/problem.hpp"

namespace cohort {

inline constexpr Network networks[] = {
    {},
    {.alpha = 4e-6, .beta = 0.25e-9, .gamma = 0.1e-9},
    {.alpha = 4e-6, .beta = 0.25e-9, .gamma = 0.1e-9, .shared_alpha = 2e-6, .shared_beta = 0.15e-9},
    {.alpha = 2e-6, .beta = 80e-9, .latency = 50e-6},
    {.alpha = 12e-6, .beta = 80e-9, .shared_alpha = 17e-6, .burst = 12e3},
    {.alpha = 12e-6, .beta = 80e-9, .latency = 40e-6, .burst = 10e3},
    {.alpha = 0, .beta = 1e-9, .gamma = 5e-9}};

inline Problem problem_on(Operation operation, Rank ranks, Count bytes, const Network& network) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  if (has_vector(operation)) problem.count = bytes;
  if (!has_vector(operation))
    problem.blocks = problem.receive_blocks = Blocks(ranks, std::max<Count>(bytes / ranks, 1));
  problem.distance = 1;
  problem.network = network;
  return problem;
}

}  // namespace cohort
