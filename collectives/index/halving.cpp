// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange on the circulant graph with skips that halve: a block travels along the skips that
// add up to its distance. It takes the fewest rounds, as radix 2 does, and at some numbers of ranks less volume; at
// powers of two the same.
// Cost: ceil(log2 p) alpha + about (log2 p) / 2 beta m. Equal blocks.
// Source: Traeff, arXiv 2410.14234 (the pattern as a template for all-to-all).
#include <map>

#include "collectives/index/hops.hpp"
#include "collectives/index/index.hpp"
#include "collectives/patterns/circulant_schedule.hpp"

namespace cohort::index {

Schedule halving(const Problem& problem, Rank me) { return in_hops(halving_hops(problem.ranks), problem, me); }

Cost halving_cost(const Problem& problem) {
  const CirculantGraph graph(problem.ranks);
  // The distances that are left after each round: for a few different n, 0 ... n - 1 a number of times.
  std::map<Rank, Count> ranges{{problem.ranks, 1}};
  Count slots = 0;
  for (int k = graph.rounds() - 1; k >= 0; --k) {
    std::map<Rank, Count> next;
    for (const auto& [length, times] : ranges) {
      const Rank staying = std::min(length, graph.skip(k));
      slots += times * (length - staying);
      next[staying] += times;
      if (length > staying) next[length - staying] += times;
    }
    ranges = std::move(next);
  }
  const Count sent = slots * problem.blocks.largest();
  return {graph.rounds(), sent, problem.ranks * sent, 0, Count{problem.ranks} * graph.rounds()};
}

}  // namespace cohort::index
