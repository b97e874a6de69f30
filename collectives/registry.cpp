// SPDX-License-Identifier: Apache-2.0
#include "collectives/registry.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/gather/gather.hpp"
#include "collectives/index/index.hpp"
#include "collectives/parameters.hpp"
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/patterns/circulant_superposition.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/dimension_pipeline.hpp"
#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/patterns/recursive_split.hpp"
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
constexpr Needs equal_blocks{.equal_blocks = true};
constexpr Needs transit_sizes{.transit_sizes = true};
constexpr Needs power_of_two{.power_of_two = true};

constexpr Traits on_mesh{.uses_mesh = true};
constexpr Traits on_hosts{.uses_mesh = true, .knows_hosts = true};
constexpr Traits neighbours{.neighbours = true};
constexpr Traits multi_ported{.multi_ported = true};
constexpr Traits neighbours_two_ways{.uses_commutativity = true, .neighbours = true};
constexpr Traits slow_to_make{.slow_to_make = true};
constexpr Traits drifts{.drifts = true};
constexpr Traits several_and_drifts{.multi_ported = true, .drifts = true};
constexpr Traits slow_to_make_and_drifts{.slow_to_make = true, .drifts = true};
constexpr Traits for_simplex{.for_simplex = true};

// q = ceil(log2 p), P = 2^Q the largest power of two up to p, n = blocks of a pipeline, m = elements of the vector, or
// of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/linear", Operation::bcast, any, bcast::linear, costs::linear, "(p - 1) (alpha + beta m)", "folklore"},
    // First among algorithms of the same cost, because in barrier mode signals pass along the same tree.
    {"bcast/recursive_split", Operation::bcast, any, bcast::recursive_split, costs::tree, "q (alpha + beta m)",
     "Watts 1994"},
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, costs::tree, "q (alpha + beta m)", "CCL 4.2"},
    {"bcast/kary", Operation::bcast, any, bcast::kary, bcast::kary_cost, "k log_k(p) (alpha + beta m)",
     "folklore; Cordsen et al. 1997", bcast::kary_parameters},
    {"bcast/fibonacci", Operation::bcast, any, bcast::fibonacci, fibonacci_cost,
     "min t: f(t) >= p, f(t) = f(t - s) + f(t - s - r), s = alpha + beta m", "Cordsen et al. 1997",
     parameters::postal_times},
    {"bcast/chain", Operation::bcast, any, bcast::chain, costs::chain, "(n + p - 2) (alpha + beta m / n)", "folklore",
     parameters::blocks, neighbours},
    {"bcast/pipelined_binary", Operation::bcast, any, bcast::pipelined_binary, bcast::pipelined_binary_cost,
     "2 (n - 1 + log2 p) (alpha + beta m / n)", "folklore; Sanders et al. 2009", parameters::blocks},
    {"bcast/split_binary", Operation::bcast, any, bcast::split_binary, bcast::split_binary_cost,
     "(n + 2 log2 p) (alpha + beta m / n) + alpha + beta m / 2", "Sanders et al. 2009", parameters::blocks},
    {"bcast/scatter_collect", Operation::bcast, any, bcast::scatter_collect, bcast::scatter_collect_cost,
     "2 q alpha + 2 (p - 1) / p beta m", "Watts 1994", bcast::scatter_collect_parameters, drifts},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"bcast/hypercube_trees", Operation::bcast, power_of_two, bcast::hypercube_trees, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Johnsson and Ho 1989", parameters::blocks},
    {"bcast/two_tree", Operation::bcast, any, bcast::two_tree, bcast::two_tree_cost,
     "about (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"bcast/two_tree_couples", Operation::bcast, any, bcast::two_tree_couples, bcast::two_tree_couples_cost,
     "about 2 (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks, for_simplex},
    {"bcast/two_tree_shifted", Operation::bcast, any, bcast::two_tree_shifted, bcast::two_tree_shifted_cost,
     "about (n + 2 q) (alpha + beta m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks, slow_to_make},
    {"bcast/dimension_pipeline", Operation::bcast, any, bcast::dimension_pipeline, costs::dimension_pipeline,
     "sum ceil((k + d - 1 - i) / d) (side_i + k_i - 2) (alpha + beta m / (k k_i)), k pieces, i < d dimensions",
     "Watts 1994, section 9", parameters::dimension_pieces, on_mesh},
    {"bcast/mesh_scatter_collect", Operation::bcast, any, bcast::mesh_scatter_collect, bcast::mesh_scatter_collect_cost,
     "(ceil(log2 G) + sum (side - 1)) alpha + 2 (G - 1) / G beta m + ceil(log2 (p / G)) (alpha + beta m / G), "
     "scattered over G = product of sides",
     "Watts 1994, section 9", bcast::scattered, on_mesh},
    {"bcast/leaders", Operation::bcast, any, bcast::leaders, bcast::leaders_cost,
     "h hosts of c: (n - 1 + log2 h) (alpha + beta m / n) + (n - 1 + log2 c) (alpha' + beta' m / n)",
     "folklore; Traeff, arXiv 2407.18004", parameters::blocks, on_hosts},

    {"reduce/linear", Operation::reduce, any, reduce::linear, costs::linear, "(p - 1) (alpha + (beta + gamma) m)",
     "folklore"},
    // First for the same reason as in bcast.
    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, costs::tree,
     "q (alpha + (beta + gamma) m)", "Watts 1994"},
    {"reduce/binomial", Operation::reduce, root_at_end, reduce::binomial, costs::tree, "q (alpha + (beta + gamma) m)",
     "folklore; CCL 4.2"},
    {"reduce/fibonacci", Operation::reduce, any, reduce::fibonacci, fibonacci_cost,
     "min t: f(t) >= p, f(t) = f(t - s) + f(t - s - r), s = alpha + (beta + gamma) m", "Cordsen et al. 1997, backward",
     parameters::postal_times},
    {"reduce/chain", Operation::reduce, any, reduce::chain, reduce::chain_cost,
     "(n + p - 2) (alpha + (beta + gamma) m / n); inner root in order: 2 n", "folklore; in order: ours",
     parameters::blocks, neighbours_two_ways},
    {"reduce/pipelined_binary", Operation::reduce, any, reduce::pipelined_binary, reduce::pipelined_binary_cost,
     "2 (n + log2 p) (alpha + (beta + gamma) m / n)", "folklore; Sanders et al. 2009", parameters::blocks},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},
    {"reduce/two_tree", Operation::reduce, root_at_end, reduce::two_tree, reduce::two_tree_cost,
     "about (n + 2 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"reduce/two_tree_couples", Operation::reduce, root_at_end, reduce::two_tree_couples, reduce::two_tree_couples_cost,
     "about 2 (n + 2 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks,
     for_simplex},
    {"reduce/butterfly", Operation::reduce, any, reduce::butterfly, reduce::butterfly_cost,
     "2 Q alpha + (P - 1) / P (2 beta + gamma) m, P = 2^Q <= p; if P < p also alpha + (beta + gamma) m",
     "Rabenseifner 2004; Sanders, Speck and Traeff 2009", parameters::none, drifts},
    {"reduce/distribute_gather", Operation::reduce, commutative, reduce::distribute_gather,
     reduce::distribute_gather_cost, "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Watts 1994", parameters::none,
     drifts},
    {"reduce/dimension_pipeline", Operation::reduce, commutative, reduce::dimension_pipeline, costs::dimension_pipeline,
     "as bcast/dimension_pipeline, with beta + gamma for beta", "Watts 1994, section 11", parameters::dimension_pieces,
     on_mesh},

    {"reduce/leaders", Operation::reduce, commutative, reduce::leaders, reduce::leaders_cost,
     "as bcast/leaders, with beta + gamma for beta", "folklore; Traeff, arXiv 2407.18004", parameters::blocks,
     on_hosts},

    {"combine/tree", Operation::combine, any, combine::tree, combine::tree_cost,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.2", parameters::blocks},
    {"combine/recursive_doubling", Operation::combine, any, combine::recursive_doubling,
     combine::recursive_doubling_cost,
     "Q (alpha + (beta + gamma) m), P = 2^Q <= p; if P < p also 2 alpha + (2 beta + gamma) m", "CCL 4.2",
     parameters::none, drifts},
    {"combine/census", Operation::combine, commutative, combine::census, combine::census_cost,
     "q (alpha + beta m) + about 1.5 q gamma m", "Bar-Noy, Kipnis and Schieber 1993"},
    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, combine::wrap_split_cost,
     "q (alpha + 2 (beta + gamma) m)", "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/hybrid", Operation::combine, any, combine::hybrid, combine::hybrid_cost,
     "(q + k) (alpha + (beta + gamma) m)", "CCL 4.2", combine::hybrid_parameters},
    {"combine/recursive_multiplying", Operation::combine, any, combine::recursive_multiplying,
     combine::recursive_multiplying_cost, "log_r(p) (r - 1) (alpha + (beta + gamma) m)", "CCL 4.2; radix as in MPICH",
     parameters::radix, multi_ported},
    {"combine/circulant", Operation::combine, commutative, combine::circulant, combine::circulant_cost,
     "2 q alpha + (p - 1) / p (2 beta + gamma) m", "Traeff, arXiv 2410.14234", parameters::none, drifts},
    {"combine/butterfly", Operation::combine, any, combine::butterfly, combine::butterfly_cost,
     "2 Q alpha + (P - 1) / P (2 beta + gamma) m, P = 2^Q <= p; if P < p also 2 alpha + (2 beta + gamma) m",
     "Rabenseifner 2004; Sanders, Speck and Traeff 2009", parameters::none, drifts},
    {"combine/merging_ranges", Operation::combine, any, combine::merging_ranges, combine::merging_ranges_cost,
     "2 sum (f - 1) alpha + (p - 1) / p (2 beta + gamma) m, f = factors 2, 3, 5, and nearly halves",
     "Rabenseifner 2004; Watts 1994, section 12; unequal ranges: ours", parameters::none, several_and_drifts},
    {"combine/pairwise", Operation::combine, any, combine::pairwise, combine::pairwise_cost,
     "2 (p - 1) alpha + (p - 1) / p 2 beta m + gamma m", "folklore"},
    {"combine/ring", Operation::combine, commutative, combine::ring, combine::ring_cost,
     "2 (p - 1) alpha + (p - 1) / p (2 beta + gamma) m", "folklore; Watts 1994", parameters::none, neighbours},
    {"combine/prime_rings", Operation::combine, any, combine::prime_rings, combine::prime_rings_cost,
     "sum (f - 1) (alpha + (beta + gamma) m), f = prime factors of p", "Watts 1994, section 12; ordered: ours"},
    {"combine/prime_rings_divided", Operation::combine, commutative, combine::prime_rings_divided,
     combine::prime_rings_divided_cost, "2 sum (f - 1) alpha + (p - 1) / p (2 beta + gamma) m, f = prime factors of p",
     "Watts 1994, section 12", combine::divided, drifts},
    {"combine/mesh_rings", Operation::combine, commutative, combine::mesh_rings, combine::mesh_rings_cost,
     "2 sum (side - 1) alpha + (p - 1) / p (2 beta + gamma) m", "Watts 1994, section 12", parameters::none, on_hosts},
    {"combine/two_tree", Operation::combine, any, combine::two_tree, combine::two_tree_cost,
     "about (n + 2 q) (2 alpha + (2 beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"combine/dual_root", Operation::combine, any, combine::dual_root, combine::dual_root_cost,
     "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2109.12626", parameters::blocks},

    {"combine/leaders", Operation::combine, any, combine::leaders, combine::leaders_cost,
     "h hosts of c: log2(h) (alpha + (beta + gamma) m) + log2(c) (2 alpha' + (2 beta' + gamma) m)", "folklore",
     parameters::none, on_hosts},

    {"scatter/linear", Operation::scatter, any, scatter::linear, costs::linear_blocks,
     "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"scatter/binomial", Operation::scatter, any, scatter::binomial, costs::binomial_blocks,
     "q alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"scatter/recursive_split", Operation::scatter, any, scatter::recursive_split, costs::recursive_split,
     "q alpha + (p - 1) / p beta m", "Watts 1994; CCL 4.2"},
    {"scatter/weighted_split", Operation::scatter, any, scatter::weighted_split, costs::weighted_split,
     "q alpha + (p - 1) / p beta m; unequal blocks: about beta m", "Watts 1994, section 7"},

    {"gather/linear", Operation::gather, any, gather::linear, costs::linear_blocks,
     "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"gather/binomial", Operation::gather, any, gather::binomial, costs::binomial_blocks,
     "q alpha + (p - 1) / p beta m", "CCL 4.2"},
    {"gather/recursive_split", Operation::gather, any, gather::recursive_split, costs::recursive_split,
     "q alpha + (p - 1) / p beta m", "Watts 1994; CCL 4.2"},
    {"gather/weighted_split", Operation::gather, any, gather::weighted_split, costs::weighted_split,
     "q alpha + (p - 1) / p beta m; unequal blocks: about beta m", "Watts 1994, section 7"},

    // First among algorithms of the same cost: docs/decisions/ranks_that_share_hosts.md.
    {"concat/recursive_doubling", Operation::concat, power_of_two, concat::recursive_doubling, costs::few_rounds,
     "q alpha + (p - 1) / p beta m", "CCL 4.4", parameters::none, drifts},
    {"concat/circulant", Operation::concat, any, concat::circulant, costs::few_rounds, "q alpha + (p - 1) / p beta m",
     "CCL 4.3; Bruck et al. 1997", parameters::none, drifts},
    {"concat/ring", Operation::concat, any, concat::ring, costs::direct, "(p - 1) alpha + (p - 1) / p beta m",
     "folklore; Watts 1994", parameters::none, neighbours},
    {"concat/prime_rings", Operation::concat, any, concat::prime_rings, concat::prime_rings_cost,
     "sum (f - 1) alpha + (p - 1) / p beta m, f = prime factors of p", "Watts 1994, section 8", parameters::none,
     drifts},
    {"concat/mesh_rings", Operation::concat, any, concat::mesh_rings, concat::mesh_rings_cost,
     "sum (side - 1) alpha + (p - 1) / p beta m", "Watts 1994, section 8", parameters::none, on_hosts},
    {"concat/leaders", Operation::concat, any, concat::leaders, concat::leaders_cost,
     "h hosts of c: log2(h) alpha + (h - 1) / h beta m + log2(c) (2 alpha' + beta' m) + (c - 1) / p beta' m",
     "folklore", parameters::none, on_hosts},
    {"concat/gather_bcast", Operation::concat, any, concat::gather_bcast, concat::gather_bcast_cost,
     "q alpha + beta m + (n - 1 + q) (alpha + beta m / n)", "Watts 1994", parameters::blocks},
    {"concat/all_broadcast", Operation::concat, any, concat::all_broadcast, costs::circulant_superposition,
     "(n - 1 + q) alpha + up to (n - 1 + q) / n beta m", "Traeff, arXiv 2407.18004", parameters::blocks,
     slow_to_make_and_drifts},

    {"index/pairwise", Operation::index, any, index::pairwise, index::pairwise_cost,
     "(p - 1) alpha + (p - 1) / p beta m", "CCL 4.2, radix p"},
    {"index/direct", Operation::index, any, index::direct, index::direct_cost, "(p - 1) alpha + (p - 1) / p beta m",
     "Watts 1994", parameters::none, multi_ported},
    {"index/radix", Operation::index, equal_blocks, index::radix, index::radix_cost,
     "(r - 1) log_r(p) (alpha + beta m / r)", "CCL 4.2; Bruck et al. 1997", parameters::radix, slow_to_make},
    {"index/two_phase_radix", Operation::index, transit_sizes, index::two_phase_radix, index::two_phase_radix_cost,
     "(r - 1) log_r(p) (alpha + beta m / r), after the sizes", "CCL 4.2; Fan et al. 2022", parameters::radix,
     slow_to_make},
    {"index/halving", Operation::index, equal_blocks, index::halving, index::halving_cost,
     "q alpha + about q / 2 beta m", "Traeff, arXiv 2410.14234", parameters::none, slow_to_make},
    {"index/prime_rings", Operation::index, equal_blocks, index::prime_rings, index::prime_rings_cost,
     "sum (f - 1) (alpha + beta m / f), f = prime factors of p", "Watts 1994, section 13"},
    {"index/mesh_exchange", Operation::index, equal_blocks, index::mesh_exchange, index::mesh_exchange_cost,
     "sum (side - 1) (alpha + beta m / side)", "Watts 1994, section 13", parameters::none, on_hosts},

    {"reduce_scatter/circulant", Operation::reduce_scatter, commutative, reduce_scatter::circulant, costs::few_rounds,
     "q alpha + (p - 1) / p (beta + gamma) m", "Traeff, arXiv 2410.14234", parameters::none, drifts},
    {"reduce_scatter/recursive_halving", Operation::reduce_scatter, any, reduce_scatter::recursive_halving,
     reduce_scatter::recursive_halving_cost,
     "(Q + 1) alpha + (beta + (P - 1) / P gamma) m, P = 2^Q <= p; if P < p also 2 alpha + about (beta + gamma) m",
     "Thakur, Rabenseifner and Gropp 2005; ordered: Traeff 2005", parameters::none, drifts},
    {"reduce_scatter/merging_ranges", Operation::reduce_scatter, any, reduce_scatter::merging_ranges,
     reduce_scatter::merging_ranges_cost,
     "(1 + sum (f - 1)) alpha + (beta + (p - 1) / p gamma) m, f = factors 2, 3, 5, and nearly halves",
     "Thakur, Rabenseifner and Gropp 2005; Watts 1994, section 10; unequal ranges: ours", parameters::none,
     several_and_drifts},
    {"reduce_scatter/tree", Operation::reduce_scatter, any, reduce_scatter::tree, reduce_scatter::tree_cost,
     "q (2 alpha + (beta + gamma) m) + (p - 1) / p beta m", "folklore"},
    {"reduce_scatter/pairwise", Operation::reduce_scatter, any, reduce_scatter::pairwise, reduce_scatter::pairwise_cost,
     "(p - 1) alpha + (p - 1) / p beta m + gamma m", "folklore"},
    {"reduce_scatter/ring", Operation::reduce_scatter, commutative, reduce_scatter::ring, costs::direct,
     "(p - 1) alpha + (p - 1) / p (beta + gamma) m", "folklore; Watts 1994", parameters::none, neighbours},
    {"reduce_scatter/prime_rings", Operation::reduce_scatter, commutative, reduce_scatter::prime_rings,
     reduce_scatter::prime_rings_cost, "sum (f - 1) alpha + (p - 1) / p (beta + gamma) m, f = prime factors of p",
     "Watts 1994, section 10", parameters::none, drifts},
    {"reduce_scatter/mesh_rings", Operation::reduce_scatter, commutative, reduce_scatter::mesh_rings,
     reduce_scatter::mesh_rings_cost, "sum (side - 1) alpha + (p - 1) / p (beta + gamma) m", "Watts 1994, section 10",
     parameters::none, on_hosts},
    {"reduce_scatter/leaders", Operation::reduce_scatter, commutative, reduce_scatter::leaders,
     reduce_scatter::leaders_cost,
     "h hosts of c: log2(h) alpha + (h - 1) / h (beta + gamma) m + log2(c) (2 alpha' + (beta' + gamma) m) + "
     "(c - 1) / p beta' m",
     "folklore", parameters::none, on_hosts},
    {"reduce_scatter/all_reduce_reversed", Operation::reduce_scatter, commutative, reduce_scatter::all_reduce_reversed,
     costs::circulant_superposition, "(n - 1 + q) alpha + up to (n - 1 + q) / n (beta + gamma) m",
     "Traeff, arXiv 2407.18004", parameters::blocks, slow_to_make_and_drifts},

    {"prefix/doubling", Operation::prefix, any, prefix::doubling, prefix::doubling_cost, "q (alpha + (beta + gamma) m)",
     "Hillis and Steele 1986"},
    {"prefix/tree", Operation::prefix, any, prefix::tree, prefix::tree_cost, "2 q (alpha + (beta + gamma) m)",
     "CCL 4.2"},
    {"prefix/hybrid", Operation::prefix, any, prefix::hybrid, prefix::hybrid_cost, "(q + k) (alpha + (beta + gamma) m)",
     "CCL 4.2", prefix::hybrid_parameters},
    {"prefix/chain", Operation::prefix, any, prefix::chain, costs::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)",
     "folklore", parameters::blocks, neighbours},
    {"prefix/pipelined_binary", Operation::prefix, any, prefix::pipelined_binary, prefix::pipelined_binary_cost,
     "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders and Traeff 2006", parameters::blocks},
    {"prefix/two_tree", Operation::prefix, any, prefix::two_tree, prefix::two_tree_cost,
     "about (2 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"prefix/two_tree_couples", Operation::prefix, any, prefix::two_tree_couples, prefix::two_tree_couples_cost,
     "about (4 n + 8 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks,
     for_simplex},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window,
     exclusive_prefix::window_cost, "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/one_two_three", Operation::exclusive_prefix, any, exclusive_prefix::one_two_three,
     exclusive_prefix::one_two_three_cost, "q or q + 1 (alpha + (beta + gamma) m)", "Traeff, arXiv 2507.04785"},
    {"exclusive_prefix/doubling", Operation::exclusive_prefix, any, exclusive_prefix::doubling,
     exclusive_prefix::doubling_cost, "q (alpha + beta m) + at most (2 q - 3) gamma m", "folklore"},
    {"exclusive_prefix/tree", Operation::exclusive_prefix, any, prefix::tree, prefix::tree_cost,
     "2 q (alpha + (beta + 2 gamma) m)", "CCL 4.2"},
    {"exclusive_prefix/hybrid", Operation::exclusive_prefix, any, prefix::hybrid, prefix::hybrid_cost,
     "(q + k) (alpha + (beta + 2 gamma) m)", "CCL 4.2", prefix::hybrid_parameters},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain, exclusive_prefix::chain_cost,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", parameters::blocks, neighbours},
    {"exclusive_prefix/pipelined_binary", Operation::exclusive_prefix, any, prefix::pipelined_binary,
     prefix::pipelined_binary_cost, "about (3 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders and Traeff 2006",
     parameters::blocks},
    {"exclusive_prefix/two_tree", Operation::exclusive_prefix, any, prefix::two_tree, prefix::two_tree_cost,
     "about (2 n + 4 q) (alpha + (beta + gamma) m / n)", "Sanders, Speck and Traeff 2009", parameters::blocks},
    {"exclusive_prefix/two_tree_couples", Operation::exclusive_prefix, any, prefix::two_tree_couples,
     prefix::two_tree_couples_cost, "about (4 n + 8 q) (alpha + (beta + gamma) m / n)",
     "Sanders, Speck and Traeff 2009", parameters::blocks, for_simplex},

    {"shift/exchange", Operation::shift, any, shift::exchange, shift::exchange_cost, "alpha + beta m", "CCL 3.1"},
    {"shift/paired", Operation::shift, any, shift::paired, shift::paired_cost, "2 or 3 (alpha + beta m)", "CCL 3.1",
     parameters::none, for_simplex},

    {"sync/dissemination", Operation::sync, any, sync::dissemination, sync::dissemination_cost,
     "ceil(log(p) / log(w + 1)) (w alpha + r)", "Hensgen, Finkel and Manber 1988; w > 1: Hoefler et al. 2006",
     sync::dissemination_parameters, multi_ported},
    {"sync/tree", Operation::sync, any, sync::tree, sync::tree_cost, "2 min t: f(t) >= p; 2 q alpha with r = 0",
     "Cordsen et al. 1997", parameters::postal_times},
    {"sync/leaders", Operation::sync, any, sync::leaders, sync::leaders_cost,
     "h hosts of c: log2(h) alpha + 2 log2(c) alpha'", "folklore", parameters::none, on_hosts},
    {"sync/central", Operation::sync, any, sync::central, sync::central_cost, "2 (p - 1) alpha", "folklore"},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
