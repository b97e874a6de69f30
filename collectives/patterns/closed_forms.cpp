// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/closed_forms.hpp"

#include <algorithm>

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"

namespace cohort::costs {
namespace {

Count log_of(const Problem& problem) { return ceil_log2(problem.ranks); }

// Adds the combining, if every arrival is combined at once.
Cost with_combining(const Problem& problem, Cost cost) {
  if (reduces(problem.operation)) cost.combined = cost.volume;
  return cost;
}

// A pipeline of blocks over so many hops, in which every rank except one receives the whole vector.
Cost pipeline(const Problem& problem, Count hops) {
  if (problem.ranks == 1) return {};
  const Count blocks = pipeline_blocks(problem, hops - 1);
  const Count rounds = blocks - 1 + hops;
  const Count others = problem.ranks - 1;
  return with_combining(
      problem, {rounds, rounds * (problem.count / blocks), others * problem.count, 0, others * blocks, 0, blocks - 1});
}

// The volume if in round k up to 2^k blocks are sent, and no block twice.
Count doubling_volume(const Blocks& blocks) {
  const Count largest = blocks.largest();
  if (blocks.equal()) return (blocks.size() - 1) * largest;
  Count volume = 0;
  for (Count number = 1; number < blocks.size(); number *= 2) volume += std::min(number * largest, blocks.total());
  return std::min((blocks.size() - 1) * largest, volume);
}

}  // namespace

Cost tree(const Problem& problem) {
  const Count q = log_of(problem);
  const Count others = problem.ranks - 1;
  return with_combining(problem, {q, q * problem.count, others * problem.count, 0, others});
}

Cost linear(const Problem& problem) {
  const Count others = problem.ranks - 1;
  return with_combining(
      problem, {others, others * problem.count, others * problem.count, 0, others, 0, std::max<Count>(others - 1, 0)});
}

Cost circulant_pipeline(const Problem& problem) {
  Cost cost = pipeline(problem, log_of(problem));
  cost.overlapped = std::max<Count>(cost.overlapped - 1, 0);  // the last block may take a detour
  return cost;
}

Cost chain(const Problem& problem) { return pipeline(problem, problem.ranks - 1); }

Cost few_rounds(const Problem& problem) {
  Cost cost = direct(problem);
  cost.volume = doubling_volume(problem.blocks);
  if (reduces(problem.operation)) cost.combined = cost.volume;
  cost.rounds = log_of(problem);
  cost.messages = problem.ranks * cost.rounds;
  return cost;
}

Cost direct(const Problem& problem) {
  const Count others = problem.ranks - 1;
  const Count block = problem.blocks.largest();
  const Count messages = problem.ranks * others;
  return with_combining(problem, {others, others * block, others * problem.blocks.total(), 0, messages});
}

}  // namespace cohort::costs
