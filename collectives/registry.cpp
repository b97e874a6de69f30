#include "collectives/registry.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/binomial_blocks.hpp"
#include "collectives/circulant_superposition.hpp"
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
constexpr Needs equal_blocks{.equal_blocks = true};
constexpr Needs transit_sizes{.transit_sizes = true};
constexpr Needs power_of_two{.power_of_two = true};

// q = ceil(log2 p), n = blocks of a pipeline, m = elements of the vector, or of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, costs::tree, "q (alpha + beta m)", "CCL 4.2"},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"bcast/scatter_collect", Operation::bcast, any, bcast::scatter_collect, bcast::scatter_collect_cost,
     "2 q alpha + 2 (p - 1) / p beta m", "Watts 1994", bcast::scatter_collect_parameters},

    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, costs::tree,
     "q (alpha + (beta + gamma) m)", "Watts 1994"},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"reduce/butterfly", Operation::reduce, any, reduce::butterfly, reduce::butterfly_cost,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Rabenseifner 2004; Sanders, Speck and Traeff 2009"},
    {"reduce/distribute_gather", Operation::reduce, commutative, reduce::distribute_gather,
     reduce::distribute_gather_cost, "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Watts 1994"},

    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, combine::wrap_split_cost,
     "q (alpha + 2 (beta + gamma) m)", "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/tree", Operation::combine, any, combine::tree, costs::tree_and_pipeline,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.2", parameters::blocks},
    {"combine/circulant", Operation::combine, commutative, combine::circulant, costs::combine_circulant,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Traeff, arXiv 2410.14234"},
    {"combine/recursive_doubling", Operation::combine, any, combine::recursive_doubling,
     combine::recursive_doubling_cost, "q (alpha + (beta + gamma) m)", "CCL 4.2"},
    {"combine/recursive_multiplying", Operation::combine, any, combine::recursive_multiplying,
     combine::recursive_multiplying_cost, "log_r(p) (r - 1) (alpha + (beta + gamma) m)", "CCL 4.2; radix as in MPICH",
     parameters::radix, false, true},
    {"combine/census", Operation::combine, commutative, combine::census, combine::census_cost,
     "q (alpha + beta m) + about 1.5 q gamma m", "Bar-Noy, Kipnis and Schieber 1993"},
    {"combine/butterfly", Operation::combine, any, combine::butterfly, combine::butterfly_cost,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Rabenseifner 2004; Sanders, Speck and Traeff 2009"},
    {"combine/hybrid", Operation::combine, any, combine::hybrid, combine::hybrid_cost,
     "(q + k) (alpha + (beta + gamma) m)", "CCL 4.2", combine::hybrid_parameters},

    {"scatter/recursive_split", Operation::scatter, any, scatter::recursive_split, nullptr,
     "q alpha + (p - 1) / p beta m", "Watts 1994; CCL 4.2"},
    {"scatter/binomial", Operation::scatter, any, scatter::binomial, costs::binomial_blocks,
     "q alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"scatter/linear", Operation::scatter, any, scatter::linear, costs::linear_blocks,
     "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.2"},

    {"gather/recursive_split", Operation::gather, any, gather::recursive_split, nullptr, "q alpha + (p - 1) / p beta m",
     "Watts 1994; CCL 4.2"},
    {"gather/binomial", Operation::gather, any, gather::binomial, costs::binomial_blocks,
     "q alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"gather/linear", Operation::gather, any, gather::linear, costs::linear_blocks,
     "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.2"},

    {"concat/circulant", Operation::concat, any, concat::circulant, costs::few_rounds, "q alpha + (p - 1) / p beta m",
     "CCL 4.3; Bruck et al. 1997"},
    {"concat/ring", Operation::concat, any, concat::ring, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "folklore"},
    {"concat/recursive_doubling", Operation::concat, power_of_two, concat::recursive_doubling, costs::few_rounds,
     "q alpha + (p - 1) / p beta m", "CCL 4.4"},
    {"concat/all_broadcast", Operation::concat, any, concat::all_broadcast, costs::circulant_superposition,
     "(n - 1 + q) alpha + up to (n - 1 + q) / n beta m", "Traeff, arXiv 2407.18004", parameters::blocks, false, false,
     true},
    {"concat/gather_bcast", Operation::concat, any, concat::gather_bcast, concat::gather_bcast_cost,
     "q alpha + beta m + (n - 1 + q) (alpha + beta m / n)", "Watts 1994", parameters::blocks},

    {"index/pairwise", Operation::index, any, index::pairwise, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "CCL 4.2, radix p"},
    {"index/direct", Operation::index, any, index::direct, index::direct_cost, "(p - 1) alpha + (p - 1) / p beta m",
     "Watts 1994", parameters::none, false, true},
    {"index/radix", Operation::index, equal_blocks, index::radix, index::radix_cost,
     "(r - 1) log_r(p) (alpha + beta m / r)", "CCL 4.2; Bruck et al. 1997", parameters::radix, false, false, true},
    {"index/halving", Operation::index, equal_blocks, index::halving, index::halving_cost,
     "q alpha + about q / 2 beta m", "Traeff, arXiv 2410.14234", parameters::none, false, false, true},
    {"index/two_phase_radix", Operation::index, transit_sizes, index::two_phase_radix, index::two_phase_radix_cost,
     "(r - 1) log_r(p) (alpha + beta m / r), after the sizes", "CCL 4.2; Fan et al. 2022", parameters::radix, false,
     false, true},

    {"reduce_scatter/circulant", Operation::reduce_scatter, commutative, reduce_scatter::circulant, costs::few_rounds,
     "q alpha + (p - 1) / p (beta + gamma) m", "Traeff, arXiv 2410.14234"},
    {"reduce_scatter/pairwise", Operation::reduce_scatter, any, reduce_scatter::pairwise, reduce_scatter::pairwise_cost,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore"},
    {"reduce_scatter/recursive_halving", Operation::reduce_scatter, power_of_two, reduce_scatter::recursive_halving,
     reduce_scatter::recursive_halving_cost, "(q + 1) alpha + (beta + (p - 1) / p gamma) m",
     "Thakur, Rabenseifner and Gropp 2005; ordered: Traeff 2005"},
    {"reduce_scatter/all_reduce_reversed", Operation::reduce_scatter, commutative, reduce_scatter::all_reduce_reversed,
     costs::circulant_superposition, "(n - 1 + q) alpha + up to (n - 1 + q) / n (beta + gamma) m",
     "Traeff, arXiv 2407.18004", parameters::blocks, false, false, true},

    {"prefix/doubling", Operation::prefix, any, prefix::doubling, costs::doubling, "q (alpha + (beta + gamma) m)",
     "Hillis and Steele 1986"},
    {"prefix/chain", Operation::prefix, any, prefix::chain, costs::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)",
     "folklore", parameters::blocks},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window, nullptr,
     "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain, costs::exclusive_chain,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", parameters::blocks},

    {"shift/exchange", Operation::shift, any, shift::exchange, costs::shift, "alpha + beta m", "CCL 3.1"},
    {"shift/paired", Operation::shift, any, shift::paired, shift::paired_cost, "2 or 3 (alpha + beta m)", "CCL 3.1"},

    {"sync/dissemination", Operation::sync, any, sync::dissemination, costs::sync, "q alpha",
     "Hensgen, Finkel and Manber 1988"},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
