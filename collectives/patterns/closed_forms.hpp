// Closed forms of the cost that several algorithms share; one that belongs to a single algorithm or pattern stands in
// its file.
//
// A closed form takes O(log p) steps, or O(p^(1/d)) on meshes of d dimensions. It must be what the schedules cost
// wherever no vector or block is empty, vectors divide evenly into their blocks, and per-rank blocks are equal: with
// count a multiple of p and of the parameter "blocks". With unequal ones the volume is about the most that it may be;
// along trees, what passes one after the other.
#pragma once

#include "collectives/cost.hpp"

namespace cohort::costs {

Cost tree(const Problem& problem);                // whole vectors along a tree of depth ceil(log2 p)
Cost linear(const Problem& problem);              // whole vectors between one rank and each other one
Cost circulant_pipeline(const Problem& problem);  // blocks on the circulant graph, to or from one rank
Cost chain(const Problem& problem);               // blocks along a chain
Cost few_rounds(const Problem& problem);          // every rank's block to every rank, in ceil(log2 p) rounds
Cost direct(const Problem& problem);              // the same in p - 1 rounds

}  // namespace cohort::costs
