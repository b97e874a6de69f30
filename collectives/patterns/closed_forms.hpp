// SPDX-License-Identifier: Apache-2.0
// Closed forms of the cost that several algorithms share. The form of a single algorithm or pattern is in its file.
//
// A closed form takes O(log p) steps, or O(p^(1/d)) on meshes of d dimensions. It must be exactly what the schedules
// cost if no vector or block is empty, vectors divide evenly into their blocks, and per-rank blocks are equal: with
// count a multiple of p and of the parameter "blocks". With unequal blocks the volume is about the most that it may be;
// along trees, the volume of the path that passes the most.
#pragma once

#include "collectives/cost.hpp"

namespace cohort::costs {

Cost tree(const Problem& problem);                // whole vectors along a tree of depth ceil(log2 p)
Cost linear(const Problem& problem);              // whole vectors between one rank and each of the others
Cost circulant_pipeline(const Problem& problem);  // blocks on the circulant graph, to or from one rank
Cost chain(const Problem& problem);               // blocks along a chain
Cost few_rounds(const Problem& problem);          // every rank's block to every rank, in ceil(log2 p) rounds
Cost direct(const Problem& problem);              // every rank's block to every rank, in p - 1 rounds

}  // namespace cohort::costs
