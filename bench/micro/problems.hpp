// SPDX-License-Identifier: Apache-2.0
// The problems for schedules and choices: a vector, or a block for each rank.
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

inline Problem usual_problem(Operation operation, Rank ranks, Count elements) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  problem.count = elements;
  problem.blocks = Blocks(ranks, std::max<Count>(elements / ranks, 1));
  problem.receive_blocks = problem.blocks;
  problem.distance = 1;
  problem.element_bytes = 4;
  return problem;
}

}  // namespace cohort
