// All-to-all personalised exchange over the dimensions of a mesh: in each, a rank exchanges with the others of its
// ring all that goes to their part of the mesh, and passes it on in the next.
// Cost: sum (s - 1) (alpha + beta m / s) over the mesh's sides s: fewer start-ups than index/pairwise for up to d
// times its volume. Blocks must be equal, for no rank knows the sizes of what it passes on. Takes the mesh; without
// one this is index/pairwise.
// Source: Watts 1994, section 13; see collectives/patterns/mesh_exchange.hpp.
#include "collectives/patterns/mesh_exchange.hpp"

#include "collectives/index/index.hpp"

namespace cohort::index {

Schedule mesh_exchange(const Problem& problem, Rank me) { return exchange_on(mesh_of(problem), problem, me); }

Cost mesh_exchange_cost(const Problem& problem) {
  return costs::exchange_on(mesh_of(problem), problem.blocks.largest());
}

}  // namespace cohort::index
