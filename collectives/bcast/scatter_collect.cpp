// SPDX-License-Identifier: Apache-2.0
// Scatter of the vector's blocks, then concat of them.
// Cost: 2 ceil(log2 p) alpha + 2 (p - 1) / p beta m. With the concat around a ring, for networks where neighbours are
// near: (ceil(log2 p) + p - 1) alpha.
// Parameter: ring.
// Source: Watts 1994 (scatter-collect); Sanders, Speck and Traeff 2009 (scatter-allgather).
#include "collectives/bcast/bcast.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::bcast {
namespace {

bool around_ring(const Problem& problem) { return problem.parameters.get("ring", 0) != 0; }

}  // namespace

Schedule scatter_collect(const Problem& problem, Rank me) {
  Problem blocks = in_blocks(problem);
  blocks.in_place = true;
  Schedule schedule;
  // The root's vector and every rank's block are in the output from the beginning.
  append_part(schedule, scatter::binomial(blocks, me),
              {.input = problem.all(), .output = blocks.blocks.block(Buffer::output, me)});
  add_rounds_until(schedule, static_cast<std::size_t>(ceil_log2(problem.ranks)) + 1);
  schedule.append(around_ring(problem) ? concat::ring(blocks, me) : concat::circulant(blocks, me));
  return schedule;
}

Cost scatter_collect_cost(const Problem& problem) {
  const Problem blocks = in_blocks(problem);
  return costs::binomial_blocks(blocks) + (around_ring(problem) ? costs::direct(blocks) : costs::few_rounds(blocks));
}

}  // namespace cohort::bcast
