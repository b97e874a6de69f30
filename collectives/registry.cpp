#include "collectives/registry.hpp"

#include <bit>

#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/gather/gather.hpp"
#include "collectives/index/index.hpp"
#include "collectives/prefix/prefix.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"
#include "collectives/scatter/scatter.hpp"
#include "collectives/shift/shift.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort {
namespace {

constexpr Needs any{};
constexpr Needs commutative{.commutative = true};

// q = ceil(log2 p), n = blocks of a pipeline, m = elements of the vector, or of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, "q (alpha + beta m)", "CCL 4.2", costs::tree},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, "(n - 1 + q) (alpha + beta m / n)",
     "Traeff, arXiv 2407.18004", costs::circulant_pipeline, "blocks"},

    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, "q (alpha + (beta + gamma) m)",
     "Watts 1994", costs::tree},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", costs::circulant_pipeline, "blocks"},

    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, "q (alpha + 2 (beta + gamma) m)",
     "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/tree", Operation::combine, any, combine::tree,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.3", costs::tree_and_pipeline, "blocks"},
    {"combine/circulant", Operation::combine, commutative, combine::circulant,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Traeff, arXiv 2410.14234", costs::combine_circulant},

    {"scatter/recursive_split", Operation::scatter, any, scatter::recursive_split, "q alpha + (p - 1) / p beta m",
     "Watts 1994; CCL 4.2"},

    {"gather/recursive_split", Operation::gather, any, gather::recursive_split, "q alpha + (p - 1) / p beta m",
     "Watts 1994; CCL 4.2"},

    {"concat/circulant", Operation::concat, any, concat::circulant, "q alpha + (p - 1) / p beta m",
     "CCL 4.5; Bruck et al. 1997", costs::few_rounds},
    {"concat/ring", Operation::concat, any, concat::ring, "(p - 1) alpha + (p - 1) / p beta m", "folklore",
     costs::direct},

    {"index/pairwise", Operation::index, any, index::pairwise, "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.6, radix p",
     costs::direct},

    {"reduce_scatter/circulant", Operation::reduce_scatter, commutative, reduce_scatter::circulant,
     "q alpha + (p - 1) / p (beta + gamma) m", "Traeff, arXiv 2410.14234", costs::few_rounds},
    {"reduce_scatter/pairwise", Operation::reduce_scatter, any, reduce_scatter::pairwise,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore", costs::direct},

    {"prefix/doubling", Operation::prefix, any, prefix::doubling, "q (alpha + (beta + gamma) m)",
     "Hillis and Steele 1986", costs::doubling},
    {"prefix/chain", Operation::prefix, any, prefix::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore",
     costs::chain, "blocks"},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window,
     "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", costs::chain, "blocks"},

    {"shift/exchange", Operation::shift, any, shift::exchange, "alpha + beta m", "CCL 4.9", costs::shift},

    {"sync/dissemination", Operation::sync, any, sync::dissemination, "q alpha", "Hensgen, Finkel and Manber 1988",
     costs::sync},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& algorithm : algorithms) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

std::optional<std::string> obstacle(const Algorithm& algorithm, const Problem& problem) {
  const std::string name(algorithm.name);
  if (algorithm.operation != problem.operation) {
    return name + " is not an algorithm for " + std::string(name_of(problem.operation));
  }
  if (algorithm.needs.commutative && !problem.commutative) return name + " needs a commutative operator";
  if (algorithm.needs.power_of_two && !std::has_single_bit(static_cast<std::uint32_t>(problem.ranks))) {
    return name + " needs a power of two ranks, not " + std::to_string(problem.ranks);
  }
  if (algorithm.needs.equal_blocks && !problem.blocks.equal()) return name + " needs equal blocks";
  return {};
}

}  // namespace cohort
