#pragma once

#include "collectives/mesh.hpp"
#include "collectives/registry.hpp"

namespace cohort::bcast {

Schedule binomial(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule dimension_pipeline(const Problem& problem, Rank me);

inline constexpr Parameter scattered[] = {
    {"scattered", "last dimensions of the mesh that the vector is scattered over", 0,
     [](const Problem& problem) { return Count{mesh_of(problem).dimensions()}; }}};
Schedule mesh_scatter_collect(const Problem& problem, Rank me);
Cost mesh_scatter_collect_cost(const Problem& problem);

}  // namespace cohort::bcast
