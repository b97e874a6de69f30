#include "collectives/registry.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/binomial_blocks.hpp"
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
constexpr Needs power_of_two{.power_of_two = true};

// q = ceil(log2 p), n = blocks of a pipeline, m = elements of the vector, or of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, costs::tree, "q (alpha + beta m)", "CCL 4.2"},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"bcast/two_tree", Operation::bcast, any, bcast::two_tree, bcast::two_tree_cost,
     "about (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},

    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, costs::tree,
     "q (alpha + (beta + gamma) m)", "Watts 1994"},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"reduce/two_tree", Operation::reduce, root_at_end, reduce::two_tree, reduce::two_tree_cost,
     "about (n + 2 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"reduce/butterfly", Operation::reduce, any, reduce::butterfly, reduce::butterfly_cost,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Rabenseifner 2004; Sanders, Speck and Traeff 2009"},

    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, combine::wrap_split_cost,
     "q (alpha + 2 (beta + gamma) m)", "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/tree", Operation::combine, any, combine::tree, costs::tree_and_pipeline,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.3", parameters::blocks},
    {"combine/two_tree", Operation::combine, any, combine::two_tree, combine::two_tree_cost,
     "about (n + 2 q) (2 alpha + (2 beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"combine/circulant", Operation::combine, commutative, combine::circulant, costs::combine_circulant,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Traeff, arXiv 2410.14234"},
    {"combine/ring", Operation::combine, commutative, combine::ring, combine::ring_cost,
     "2 (p - 1) alpha + (p - 1) / p (2 beta + gamma) m", "folklore; Watts 1994"},
    {"combine/mesh_rings",
     Operation::combine,
     commutative,
     combine::mesh_rings,
     combine::mesh_rings_cost,
     "2 sum (side - 1) alpha + (p - 1) / p (2 beta + gamma) m",
     "Watts 1994, section 12",
     {},
     true},
    {"combine/prime_rings", Operation::combine, any, combine::prime_rings, combine::prime_rings_cost,
     "sum (f - 1) (alpha + (beta + gamma) m), f = prime factors of p", "Watts 1994, section 12; ordered: ours"},
    {"combine/prime_rings_divided", Operation::combine, commutative, combine::prime_rings_divided,
     combine::prime_rings_divided_cost, "2 sum (f - 1) alpha + (p - 1) / p (2 beta + gamma) m, f = prime factors of p",
     "Watts 1994, section 12", combine::divided},
    {"combine/recursive_doubling", Operation::combine, any, combine::recursive_doubling,
     combine::recursive_doubling_cost, "q (alpha + (beta + gamma) m)", "CCL 4.2"},
    {"combine/recursive_multiplying", Operation::combine, any, combine::recursive_multiplying,
     combine::recursive_multiplying_cost, "log_r(p) (r - 1) (alpha + (beta + gamma) m)", "CCL 4.2; radix as in MPICH",
     parameters::radix, false, true},
    {"combine/census", Operation::combine, commutative, combine::census, combine::census_cost,
     "q (alpha + beta m) + about 1.5 q gamma m", "Bar-Noy, Kipnis and Schieber 1993"},
    {"combine/butterfly", Operation::combine, any, combine::butterfly, combine::butterfly_cost,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Rabenseifner 2004; Sanders, Speck and Traeff 2009"},

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
     "CCL 4.5; Bruck et al. 1997"},
    {"concat/ring", Operation::concat, any, concat::ring, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "folklore; Watts 1994"},
    {"concat/mesh_rings",
     Operation::concat,
     any,
     concat::mesh_rings,
     concat::mesh_rings_cost,
     "sum (side - 1) alpha + (p - 1) / p beta m",
     "Watts 1994, section 8",
     {},
     true},
    {"concat/prime_rings", Operation::concat, any, concat::prime_rings, concat::prime_rings_cost,
     "sum (f - 1) alpha + (p - 1) / p beta m, f = prime factors of p", "Watts 1994, section 8"},
    {"concat/recursive_doubling", Operation::concat, power_of_two, concat::recursive_doubling, costs::few_rounds,
     "q alpha + (p - 1) / p beta m", "CCL 4.4"},

    {"index/pairwise", Operation::index, any, index::pairwise, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "CCL 4.6, radix p"},

    {"reduce_scatter/circulant", Operation::reduce_scatter, commutative, reduce_scatter::circulant, costs::few_rounds,
     "q alpha + (p - 1) / p (beta + gamma) m", "Traeff, arXiv 2410.14234"},
    {"reduce_scatter/pairwise", Operation::reduce_scatter, any, reduce_scatter::pairwise, reduce_scatter::pairwise_cost,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore"},
    {"reduce_scatter/ring", Operation::reduce_scatter, commutative, reduce_scatter::ring, costs::direct,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore; Watts 1994"},
    {"reduce_scatter/mesh_rings",
     Operation::reduce_scatter,
     commutative,
     reduce_scatter::mesh_rings,
     reduce_scatter::mesh_rings_cost,
     "sum (side - 1) alpha + (p - 1) / p (beta + gamma) m",
     "Watts 1994, section 10",
     {},
     true},
    {"reduce_scatter/prime_rings", Operation::reduce_scatter, commutative, reduce_scatter::prime_rings,
     reduce_scatter::prime_rings_cost, "sum (f - 1) alpha + (p - 1) / p (beta + gamma) m, f = prime factors of p",
     "Watts 1994, section 10"},
    {"reduce_scatter/recursive_halving", Operation::reduce_scatter, power_of_two, reduce_scatter::recursive_halving,
     reduce_scatter::recursive_halving_cost, "(q + 1) alpha + (beta + (p - 1) / p gamma) m",
     "Thakur, Rabenseifner and Gropp 2005; ordered: Traeff 2005"},

    {"prefix/doubling", Operation::prefix, any, prefix::doubling, costs::doubling, "q (alpha + (beta + gamma) m)",
     "Hillis and Steele 1986"},
    {"prefix/chain", Operation::prefix, any, prefix::chain, costs::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)",
     "folklore", parameters::blocks},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window, nullptr,
     "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain, costs::exclusive_chain,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", parameters::blocks},

    {"shift/exchange", Operation::shift, any, shift::exchange, costs::shift, "alpha + beta m", "CCL 4.9"},
    {"shift/paired", Operation::shift, any, shift::paired, shift::paired_cost, "2 or 3 (alpha + beta m)", "CCL 3.1"},

    {"sync/dissemination", Operation::sync, any, sync::dissemination, costs::sync, "q alpha",
     "Hensgen, Finkel and Manber 1988"},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
