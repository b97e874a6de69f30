#include "collectives/registry.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/fibonacci_tree.hpp"
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
constexpr Needs power_of_two{.power_of_two = true};
constexpr Needs root_at_end{.root_at_end = true};

// q = ceil(log2 p), n = blocks of a pipeline, m = elements of the vector, or of all blocks together.
constexpr Algorithm algorithms[] = {
    {"bcast/linear", Operation::bcast, any, bcast::linear, costs::linear, "(p - 1) (alpha + beta m)", "folklore"},
    {"bcast/binomial", Operation::bcast, any, bcast::binomial, costs::tree, "q (alpha + beta m)", "CCL 4.2"},
    {"bcast/recursive_split", Operation::bcast, any, bcast::recursive_split, costs::tree, "q (alpha + beta m)",
     "Watts 1994"},
    {"bcast/kary", Operation::bcast, any, bcast::kary, bcast::kary_cost, "k log_k(p) (alpha + beta m)",
     "folklore; Cordsen et al. 1997", bcast::kary_parameters},
    {"bcast/fibonacci", Operation::bcast, any, bcast::fibonacci, fibonacci_cost,
     "min t: f(t) >= p, f(t) = f(t - s) + f(t - s - r), s = alpha + beta m", "Cordsen et al. 1997",
     parameters::postal_times},
    {"bcast/chain", Operation::bcast, any, bcast::chain, costs::chain, "(n + p - 2) (alpha + beta m / n)", "folklore",
     parameters::blocks},
    {"bcast/pipelined_binary", Operation::bcast, any, bcast::pipelined_binary, bcast::pipelined_binary_cost,
     "2 (n - 1 + log2 p) (alpha + beta m / n)", "folklore; Sanders et al. 2009", parameters::blocks},
    {"bcast/split_binary", Operation::bcast, any, bcast::split_binary, bcast::split_binary_cost,
     "(n + 2 log2 p) (alpha + beta m / n) + alpha + beta m / 2", "Sanders et al. 2009", parameters::blocks},
    {"bcast/hypercube_trees", Operation::bcast, power_of_two, bcast::hypercube_trees, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Johnsson and Ho 1989", parameters::blocks},
    {"bcast/circulant", Operation::bcast, any, bcast::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + beta m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},

    {"reduce/linear", Operation::reduce, any, reduce::linear, costs::linear, "(p - 1) (alpha + (beta + gamma) m)",
     "folklore"},
    {"reduce/binomial", Operation::reduce, root_at_end, reduce::binomial, costs::tree, "q (alpha + (beta + gamma) m)",
     "folklore; CCL 4.3"},
    {"reduce/recursive_split", Operation::reduce, any, reduce::recursive_split, costs::tree,
     "q (alpha + (beta + gamma) m)", "Watts 1994"},
    {"reduce/fibonacci", Operation::reduce, any, reduce::fibonacci, fibonacci_cost,
     "min t: f(t) >= p, f(t) = f(t - s) + f(t - s - r), s = alpha + (beta + gamma) m", "Cordsen et al. 1997, backward",
     parameters::postal_times},
    {.name = "reduce/chain",
     .operation = Operation::reduce,
     .needs = any,
     .schedule = reduce::chain,
     .costs = reduce::chain_cost,
     .time = "(n + p - 2) (alpha + (beta + gamma) m / n); inner root in order: 2 n",
     .source = "folklore; in order: ours",
     .parameters = parameters::blocks,
     .uses_commutativity = true},
    {"reduce/pipelined_binary", Operation::reduce, any, reduce::pipelined_binary, reduce::pipelined_binary_cost,
     "2 (n + log2 p) (alpha + (beta + gamma) m / n)", "folklore; Sanders et al. 2009", parameters::blocks},
    {"reduce/circulant", Operation::reduce, commutative, reduce::circulant, costs::circulant_pipeline,
     "(n - 1 + q) (alpha + (beta + gamma) m / n)", "Traeff, arXiv 2407.18004", parameters::blocks},

    {"combine/wrap_split", Operation::combine, any, combine::wrap_split, nullptr, "q (alpha + 2 (beta + gamma) m)",
     "Bar-Noy, Kipnis and Schieber 1993; ordered: ours"},
    {"combine/tree", Operation::combine, any, combine::tree, costs::tree_and_pipeline,
     "q (alpha + (beta + gamma) m) + (n - 1 + q) (alpha + beta m / n)", "CCL 4.3", parameters::blocks},
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
    {"prefix/chain", Operation::prefix, any, prefix::chain, costs::chain, "(n + p - 2) (alpha + (beta + gamma) m / n)",
     "folklore", parameters::blocks},

    {"exclusive_prefix/window", Operation::exclusive_prefix, any, exclusive_prefix::window, nullptr,
     "q (alpha + beta m) + about q gamma m", "ours; Traeff, arXiv 2604.25667"},
    {"exclusive_prefix/chain", Operation::exclusive_prefix, any, exclusive_prefix::chain, costs::exclusive_chain,
     "(n + p - 2) (alpha + (beta + gamma) m / n)", "folklore", parameters::blocks},

    {"shift/exchange", Operation::shift, any, shift::exchange, costs::shift, "alpha + beta m", "CCL 4.9"},

    {.name = "sync/dissemination",
     .operation = Operation::sync,
     .needs = any,
     .schedule = sync::dissemination,
     .costs = sync::dissemination_cost,
     .time = "ceil(log(p) / log(w + 1)) (w alpha + r)",
     .source = "Hensgen, Finkel and Manber 1988; w > 1: Hoefler et al. 2006",
     .parameters = sync::dissemination_parameters,
     .multi_ported = true},
    {"sync/tree", Operation::sync, any, sync::tree, sync::tree_cost, "2 min t: f(t) >= p; 2 q alpha with r = 0",
     "Cordsen et al. 1997", parameters::postal_times},
    {"sync/central", Operation::sync, any, sync::central, sync::central_cost, "2 (p - 1) alpha", "folklore"},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
