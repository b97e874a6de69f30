// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter and concat of the blocks of a vector on the circulant graph, as rounds that operations are made of. In
// each of ceil(log2 p) rounds a rank exchanges a run of blocks, contiguous modulo p: at most two segments. It exchanges
// p - 1 blocks in all, which is optimal.
// Source: Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms" (arXiv 2410.14234); the concat is
// CCL's (Bruck's) with halving skips, and needs no rotation.
#pragma once

#include "collectives/problem.hpp"

namespace cohort {

// The reduce-scatter. Afterwards rank r's block of the result is at its place in `work`; the other blocks of `work`
// hold partial results. `work` is as long as the operand vector and may be the operand itself. The operator must
// commute.
void add_circulant_reduce_scatter(Schedule& schedule, const Blocks& blocks, Rank me, const Segment& operand,
                                  const Segment& work);

// The concat. Before, this rank's block is at its place in `vector`. Afterwards all blocks are there.
void add_circulant_concat(Schedule& schedule, const Blocks& blocks, Rank me, const Segment& vector);

}  // namespace cohort
