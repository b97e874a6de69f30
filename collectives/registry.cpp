#include "collectives/registry.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/gather/gather.hpp"
#include "collectives/index/index.hpp"
#include "collectives/parameters.hpp"
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
constexpr Needs root_at_end{.root_at_end = true};

// q = ceil(log2 p), n = blocks of a pipeline, m = elements of the vector, or of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, costs::tree, "q (alpha + beta m)", "CCL 4.2"},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"bcast/two_tree", Operation::bcast, any, bcast::two_tree, bcast::two_tree_cost,
     "about (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"bcast/two_tree_couples", Operation::bcast, any, bcast::two_tree_couples, bcast::two_tree_couples_cost,
     "about 2 (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},

    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, costs::tree,
     "q (alpha + (beta + gamma) m)", "Watts 1994"},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"reduce/two_tree", Operation::reduce, root_at_end, reduce::two_tree, reduce::two_tree_cost,
     "about (n + 2 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"reduce/two_tree_couples", Operation::reduce, root_at_end, reduce::two_tree_couples, reduce::two_tree_couples_cost,
     "about 2 (n + 2 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},

    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, nullptr, "q (alpha + 2 (beta + gamma) m)",
     "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/tree", Operation::combine, any, combine::tree, costs::tree_and_pipeline,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.3", parameters::blocks},
    {"combine/two_tree", Operation::combine, any, combine::two_tree, combine::two_tree_cost,
     "about (n + 2 q) (2 alpha + (2 beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"combine/dual_root", Operation::combine, any, combine::dual_root, combine::dual_root_cost,
     "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2109.12626", parameters::blocks},
    {"combine/circulant", Operation::combine, commutative, combine::circulant, costs::combine_circulant,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Traeff, arXiv 2410.14234"},

    {"scatter/recursive_split", Operation::scatter, any, scatter::recursive_split, nullptr,
     "q alpha + (p - 1) / p beta m", "Watts 1994; CCL 4.2"},

    {"gather/recursive_split", Operation::gather, any, gather::recursive_split, nullptr, "q alpha + (p - 1) / p beta m",
     "Watts 1994; CCL 4.2"},

    {"concat/circulant", Operation::concat, any, concat::circulant, costs::few_rounds, "q alpha + (p - 1) / p beta m",
     "CCL 4.5; Bruck et al. 1997"},
    {"concat/ring", Operation::concat, any, concat::ring, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "folklore"},

    {"index/pairwise", Operation::index, any, index::pairwise, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "CCL 4.6, radix p"},

    {"reduce_scatter/circulant", Operation::reduce_scatter, commutative, reduce_scatter::circulant, costs::few_rounds,
     "q alpha + (p - 1) / p (beta + gamma) m", "Traeff, arXiv 2410.14234"},
    {"reduce_scatter/pairwise", Operation::reduce_scatter, any, reduce_scatter::pairwise, reduce_scatter::pairwise_cost,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore"},

    {"prefix/doubling", Operation::prefix, any, prefix::doubling, costs::doubling, "q (alpha + (beta + gamma) m)",
     "Hillis and Steele 1986"},
    {"prefix/tree", Operation::prefix, any, prefix::tree, prefix::tree_cost, "2 q (alpha + (beta + gamma) m)",
     "CCL 4.8"},
    {"prefix/hybrid", Operation::prefix, any, prefix::hybrid, prefix::hybrid_cost, "(q + k) (alpha + (beta + gamma) m)",
     "CCL 4.8", prefix::hybrid_parameters},
    {"prefix/chain", Operation::prefix, any, prefix::chain, costs::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)",
     "folklore", parameters::blocks},
    {"prefix/pipelined_binary", Operation::prefix, any, prefix::pipelined_binary, prefix::pipelined_binary_cost,
     "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders and Traeff 2006", parameters::blocks},
    {"prefix/two_tree", Operation::prefix, any, prefix::two_tree, prefix::two_tree_cost,
     "about (2 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window,
     exclusive_prefix::window_cost, "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/one_two_three", Operation::exclusive_prefix, any, exclusive_prefix::one_two_three,
     exclusive_prefix::one_two_three_cost, "q or q + 1 (alpha + (beta + gamma) m)", "Traeff, arXiv 2507.04785"},
    {"exclusive_prefix/tree", Operation::exclusive_prefix, any, prefix::tree, prefix::tree_cost,
     "2 q (alpha + (beta + 2 gamma) m)", "CCL 4.8"},
    {"exclusive_prefix/hybrid", Operation::exclusive_prefix, any, prefix::hybrid, prefix::hybrid_cost,
     "(q + k) (alpha + (beta + 2 gamma) m)", "CCL 4.8", prefix::hybrid_parameters},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain, costs::exclusive_chain,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", parameters::blocks},
    {"exclusive_prefix/pipelined_binary", Operation::exclusive_prefix, any, prefix::pipelined_binary,
     prefix::pipelined_binary_cost, "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders and Traeff 2006",
     parameters::blocks},
    {"exclusive_prefix/two_tree", Operation::exclusive_prefix, any, prefix::two_tree, prefix::two_tree_cost,
     "about (2 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},

    {"shift/exchange", Operation::shift, any, shift::exchange, costs::shift, "alpha + beta m", "CCL 4.9"},

    {"sync/dissemination", Operation::sync, any, sync::dissemination, costs::sync, "q alpha",
     "Hensgen, Finkel and Manber 1988"},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
