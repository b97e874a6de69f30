#include "collectives/selector/choose.hpp"

#include <stdexcept>
#include <utility>

#include "collectives/mesh.hpp"

namespace cohort {
namespace {

// To make one rank's schedule in O(p) steps takes a few nanoseconds each.
constexpr Rank most_ranks_if_slow_to_make = 1 << 14;

// Less is better; the first counts.
using Price = std::pair<double, double>;

Price price_of(const Algorithm& algorithm, const Problem& problem) {
  const Cost cost = algorithm.costs(problem);
  Network unshared = problem.network;
  unshared.shared_alpha = unshared.shared_beta = 0;
  return {seconds_by_data(cost, problem.network, problem.element_bytes),
          seconds_by_data(cost, unshared, problem.element_bytes)};
}

}  // namespace

Problem as_all_know(const Problem& problem) {
  Problem known = problem;
  known.in_place = false;
  known.transit_sizes.clear();
  // In an exchange of unequal blocks a rank knows its own sizes only.
  const bool sizes_differ = problem.operation == Operation::index && !problem.blocks.equal();
  if (sizes_differ) {
    known.blocks = Blocks(std::vector<Count>(static_cast<std::size_t>(problem.ranks)));
    known.receive_blocks = known.blocks;
  }
  return known;
}

bool is_eligible(const Algorithm& algorithm, const Problem& problem) {
  const Traits& traits = algorithm.traits;
  if (algorithm.operation != problem.operation || traits.for_simplex) return false;
  if (traits.slow_to_make && problem.ranks > most_ranks_if_slow_to_make) return false;
  // Without a mesh it would be another algorithm on a line.
  if (traits.uses_mesh && problem.mesh.empty()) return false;
  return !obstacle(algorithm, problem);
}

Choice choose(const Problem& problem) {
  const Problem known = as_all_know(problem);
  const Algorithm* best = nullptr;
  Price least;
  for (const Algorithm& algorithm : registry()) {
    if (!is_eligible(algorithm, known)) continue;
    const Price price = price_of(algorithm, known);
    if (best != nullptr && price >= least) continue;
    least = price;
    best = &algorithm;
  }
  if (best == nullptr) throw std::logic_error("no algorithm for " + std::string(name_of(problem.operation)));
  return {best, {}, {}};
}

}  // namespace cohort
