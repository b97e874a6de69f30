// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange over the dimensions of a mesh: first every block moves to the rank that has its
// destination's coordinate in the first dimension, then in the second, and so on. In its ring a rank sends to each
// other rank directly all blocks for it: side - 1 messages of p / side blocks. Watts' blocks travel around the ring
// from neighbour to neighbour, because messages to far ranks would contend for his mesh's links. If distance costs
// nothing, travelling only makes the messages longer: on average half of all blocks instead of p / side, except for
// sides of two.
// Source: Watts 1994, section 13; as digits of the ranks, CCL section 4.2.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/mesh.hpp"

namespace cohort {

// Blocks must be equal.
Schedule exchange_on(const Mesh& mesh, const Problem& problem, Rank me);

namespace costs {

Cost exchange_on(const Mesh& mesh, Count block);

}  // namespace costs
}  // namespace cohort
