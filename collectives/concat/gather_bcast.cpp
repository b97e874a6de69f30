// SPDX-License-Identifier: Apache-2.0
// Gather to rank 0, then broadcast of all blocks from there. A broadcast in several pieces goes on circulant graphs. A
// broadcast in one piece goes down the tree that the blocks came up. So the root sends first to the rank whose blocks
// arrived last, which is awake.
// Cost: that of gather/binomial and bcast/circulant, or of gather/recursive_split and bcast/recursive_split, with the
// least traffic of few-round algorithms.
// Parameter: blocks, of the broadcast.
// Source: Watts 1994; folklore.
#include "collectives/bcast/bcast.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/gather/gather.hpp"
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/recursive_split.hpp"

namespace cohort::concat {
namespace {

Problem from_root(const Problem& problem) {
  Problem rooted = problem;
  rooted.root = 0;
  rooted.count = problem.blocks.total();
  return rooted;
}

bool is_in_pieces(const Problem& rooted) { return pipeline_blocks(rooted, ceil_log2(rooted.ranks) - 1) > 1; }

}  // namespace

Schedule gather_bcast(const Problem& problem, Rank me) {
  const Problem rooted = from_root(problem);
  const Segment own = problem.in_place ? problem.blocks.block(Buffer::output, me) : Segment{Buffer::input, 0, 0};
  Schedule schedule;
  const bool in_pieces = is_in_pieces(rooted);
  append_part(schedule, in_pieces ? gather::binomial(rooted, me) : gather::recursive_split(rooted, me), {.input = own});
  add_rounds_until(schedule, static_cast<std::size_t>(ceil_log2(problem.ranks)) + 1);
  schedule.append(in_pieces ? bcast::circulant(rooted, me) : bcast::recursive_split(rooted, me));
  return schedule;
}

Cost gather_bcast_cost(const Problem& problem) {
  const Problem rooted = from_root(problem);
  if (is_in_pieces(rooted)) return costs::binomial_blocks(problem) + costs::circulant_pipeline(rooted);
  return costs::recursive_split(rooted) + costs::tree(rooted);
}

}  // namespace cohort::concat
