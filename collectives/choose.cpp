// Which algorithm the runtime uses: the one that is cheapest in the linear model, with the network that the
// problem assumes.
#include <algorithm>
#include <stdexcept>

#include "collectives/peers.hpp"
#include "collectives/pipeline_blocks.hpp"
#include "collectives/registry.hpp"

namespace cohort {
namespace {

std::string_view best_name(const Problem& problem) {
  // Seconds for `rounds` messages of `bytes` bytes one after the other.
  const auto rounds_of = [&](double rounds, double bytes) {
    return rounds * (problem.network.alpha + problem.network.beta * bytes);
  };
  const double q = std::max(ceil_log2(problem.ranks), 1);
  const Count vector_bytes = problem.count * problem.element_bytes;
  const auto bytes = static_cast<double>(vector_bytes);
  // A pipeline of n blocks over a path of q (circulant) or p - 1 (chain) hops.
  const auto pipelined = [&](double hops) {
    const double blocks = pipeline_blocks(problem, static_cast<Count>(hops) - 1);
    return rounds_of(blocks + hops - 1, bytes / blocks);
  };
  const bool chain_is_faster = pipelined(problem.ranks - 1) < rounds_of(q, bytes);

  switch (problem.operation) {
    case Operation::bcast:
      return pipelined(q) < rounds_of(q, bytes) ? "bcast/circulant" : "bcast/binomial";
    case Operation::reduce:
      return problem.commutative && pipelined(q) < rounds_of(q, bytes) ? "reduce/circulant" : "reduce/recursive_split";
    case Operation::combine: {
      const double few_rounds = rounds_of(q, 2 * bytes);
      const double least_volume = rounds_of(2 * q, bytes / q);
      const double tree = rounds_of(q, bytes) + pipelined(q);
      if (problem.commutative) return few_rounds <= least_volume ? "combine/wrap_split" : "combine/circulant";
      return few_rounds <= tree ? "combine/wrap_split" : "combine/tree";
    }
    case Operation::scatter:
      return "scatter/recursive_split";
    case Operation::gather:
      return "gather/recursive_split";
    case Operation::concat:
      return "concat/circulant";
    case Operation::index:
      return "index/pairwise";
    case Operation::reduce_scatter:
      return problem.commutative ? "reduce_scatter/circulant" : "reduce_scatter/pairwise";
    case Operation::prefix:
      return chain_is_faster ? "prefix/chain" : "prefix/doubling";
    case Operation::exclusive_prefix:
      return chain_is_faster ? "exclusive_prefix/chain" : "exclusive_prefix/window";
    case Operation::shift:
      return "shift/exchange";
    case Operation::sync:
      return "sync/dissemination";
    default:
      throw std::logic_error("not a collective operation");
  }
}

}  // namespace

const Algorithm& choose(const Problem& problem) { return *find_algorithm(best_name(problem)); }

}  // namespace cohort
