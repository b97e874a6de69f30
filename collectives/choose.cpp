// Which algorithm the runtime uses: of a few for each operation, one for each range of sizes and numbers of ranks in
// which it is the best, the cheapest by its closed form on the network that the problem names.
#include <array>
#include <limits>
#include <stdexcept>

#include "collectives/registry.hpp"

namespace cohort {
namespace {

// Of equally cheap ones the first is taken.
struct Candidates {
  Operation operation;
  std::array<std::string_view, 5> names;
};

constexpr Candidates candidates[] = {
    {Operation::bcast, {"bcast/binomial", "bcast/circulant"}},
    {Operation::reduce,
     {"reduce/recursive_split", "reduce/circulant", "reduce/two_tree", "reduce/pipelined_binary", "reduce/chain"}},
    {Operation::combine,
     {"combine/recursive_doubling", "combine/wrap_split", "combine/circulant", "combine/butterfly",
      "combine/two_tree"}},
    {Operation::scatter, {"scatter/weighted_split"}},
    {Operation::gather, {"gather/weighted_split"}},
    {Operation::concat, {"concat/circulant"}},
    {Operation::index, {"index/pairwise", "index/radix"}},
    {Operation::reduce_scatter,
     {"reduce_scatter/circulant", "reduce_scatter/recursive_halving", "reduce_scatter/pairwise"}},
    {Operation::prefix, {"prefix/doubling", "prefix/chain", "prefix/two_tree"}},
    {Operation::exclusive_prefix, {"exclusive_prefix/window", "exclusive_prefix/chain", "exclusive_prefix/two_tree"}},
    {Operation::shift, {"shift/exchange"}},
    {Operation::sync, {"sync/dissemination"}},
};

const Candidates& candidates_for(Operation operation) {
  for (const Candidates& known : candidates) {
    if (known.operation == operation) return known;
  }
  throw std::logic_error("not a collective operation");
}

}  // namespace

Choice choose(const Problem& problem) {
  const Algorithm* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const std::string_view name : candidates_for(problem.operation).names) {
    if (name.empty()) break;
    const Algorithm& algorithm = *find_algorithm(name);
    if (obstacle(algorithm, problem)) continue;
    // No rank knows the others' sizes in an all-to-all exchange of unequal blocks: only equal ones may be priced.
    const bool priced = problem.operation != Operation::index || problem.blocks.equal();
    const double price = priced ? seconds(algorithm.costs(problem), problem.network, problem.element_bytes) : 0;
    if (price < least) {
      least = price;
      best = &algorithm;
    }
  }
  return {best, {}, {}};
}

}  // namespace cohort
