// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction around one ring for each prime factor of p (Watts' PFR-DC). The rings of the smallest factors
// divide the vector: a reduce-scatter goes around each of them. The other rings pass their pieces around undivided.
// Then a concat goes back around the rings that divide. With all rings dividing it suits long vectors; for a power of
// two it is recursive halving and doubling. With none it is combine/prime_rings. In between it is Watts' hybrid for
// vectors of medium length.
// Cost: with d divided rings, whose factors f make up the product P, and f' for the factors of the others: 2 sum (f -
// 1) alpha + (P - 1) / P (2 beta + gamma) m + sum (f' - 1) (alpha + (beta + gamma) m / P). The operator must commute.
// Parameter: divided, the number of rings that divide; the fastest in the linear model unless it is given.
// Source: Watts 1994, section 12.
#include <algorithm>

#include "collectives/combine/combine.hpp"
#include "collectives/patterns/mesh_rings.hpp"

namespace cohort::combine {
namespace {

// How many of the first rings circulate undivided pieces.
int whole_rings(const Mesh& mesh, const Problem& problem) {
  const int dimensions = mesh.dimensions();
  const Count wished = problem.parameters.get("divided", -1);
  if (wished >= 0) return dimensions - static_cast<int>(std::min<Count>(wished, dimensions));
  int best = 0;
  double least = 0;
  for (int whole = 0; whole <= dimensions; ++whole) {
    const double time = seconds_by_data(costs::combine_on(mesh, whole, problem), problem);
    if (whole > 0 && time >= least) continue;
    best = whole;
    least = time;
  }
  return best;
}

}  // namespace

Schedule prime_rings_divided(const Problem& problem, Rank me) {
  const Mesh mesh = prime_mesh(problem.ranks);
  return combine_on(mesh, whole_rings(mesh, problem), problem, me);
}

Cost prime_rings_divided_cost(const Problem& problem) {
  const Mesh mesh = prime_mesh(problem.ranks);
  return costs::combine_on(mesh, whole_rings(mesh, problem), problem);
}

}  // namespace cohort::combine
