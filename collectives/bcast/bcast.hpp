// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/patterns/mesh.hpp"
#include "collectives/registry.hpp"

namespace cohort::bcast {

Schedule linear(const Problem& problem, Rank me);
Schedule binomial(const Problem& problem, Rank me);
Schedule recursive_split(const Problem& problem, Rank me);
Schedule kary(const Problem& problem, Rank me);
Schedule fibonacci(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);
Schedule pipelined_binary(const Problem& problem, Rank me);
Schedule split_binary(const Problem& problem, Rank me);
Schedule hypercube_trees(const Problem& problem, Rank me);
Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);
Schedule circulant(const Problem& problem, Rank me);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);
Schedule two_tree_couples(const Problem& problem, Rank me);
Cost two_tree_couples_cost(const Problem& problem);
Schedule two_tree_shifted(const Problem& problem, Rank me);
Cost two_tree_shifted_cost(const Problem& problem);

Cost kary_cost(const Problem& problem);
Cost pipelined_binary_cost(const Problem& problem);
Cost split_binary_cost(const Problem& problem);

inline constexpr Parameter kary_parameters[] = {
    {"k", "children of a rank", 2, [](const Problem& problem) { return std::max<Count>(problem.ranks - 1, 16); }}};
Schedule dimension_pipeline(const Problem& problem, Rank me);

inline constexpr Parameter scattered[] = {
    {"scattered", "last dimensions of the mesh that the vector is scattered over", 0,
     [](const Problem& problem) { return Count{mesh_of(problem).dimensions()}; }}};
Schedule mesh_scatter_collect(const Problem& problem, Rank me);
Cost mesh_scatter_collect_cost(const Problem& problem);
Schedule scatter_collect(const Problem& problem, Rank me);
Cost scatter_collect_cost(const Problem& problem);

inline constexpr Parameter scatter_collect_parameters[] = {
    {"ring", "1: the blocks are collected around a ring; 0: in few rounds", 0,
     [](const Problem&) { return Count{1}; }}};

}  // namespace cohort::bcast
