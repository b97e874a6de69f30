// SPDX-License-Identifier: Apache-2.0
// MPI's functions for virtual topologies. Ranks keep their order: `reorder` is a hint that these functions ignore.
// Arrays for results that are too short get the first part.
#pragma once

#include "mpi/core/communicator.hpp"
#include "mpi/core/info.hpp"

namespace cohort::mpi {

void topo_test(Communicator& communicator, int& status);

// Processes for which the grid or graph has no place get no communicator.
void cart_create(Communicator& old, int ndims, const int* dims, const int* periods, int reorder, Communicator*& result);
void cartdim_get(Communicator& communicator, int& ndims);
void cart_get(Communicator& communicator, int maxdims, int* dims, int* periods, int* coords);
void cart_rank(Communicator& communicator, const int* coords, int& rank);
void cart_coords(Communicator& communicator, int rank, int maxdims, int* coords);
void cart_shift(Communicator& communicator, int direction, int displacement, int& source, int& destination);
void cart_sub(Communicator& communicator, const int* remain_dims, Communicator*& result);
void cart_map(Communicator& communicator, int ndims, const int* dims, const int* periods, int& newrank);
void dims_create(int nnodes, int ndims, int* dims);

void graph_create(Communicator& old, int nnodes, const int* index, const int* edges, int reorder,
                  Communicator*& result);
void graphdims_get(Communicator& communicator, int& nnodes, int& nedges);
void graph_get(Communicator& communicator, int maxindex, int maxedges, int* index, int* edges);
void graph_neighbors_count(Communicator& communicator, int rank, int& number);
void graph_neighbors(Communicator& communicator, int rank, int maxneighbors, int* neighbors);
void graph_map(Communicator& communicator, int nnodes, const int* index, const int* edges, int& newrank);

void dist_graph_create_adjacent(Communicator& old, int indegree, const int* sources, const int* source_weights,
                                int outdegree, const int* destinations, const int* destination_weights, Info* info,
                                int reorder, Communicator*& result);
// Communicates: every process gets the edges that it begins or ends, whoever has named them.
void dist_graph_create(Communicator& old, int n, const int* sources, const int* degrees, const int* destinations,
                       const int* weights, Info* info, int reorder, Communicator*& result);
void dist_graph_neighbors_count(Communicator& communicator, int& indegree, int& outdegree, int& weighted);
void dist_graph_neighbors(Communicator& communicator, int maxindegree, int* sources, int* source_weights,
                          int maxoutdegree, int* destinations, int* destination_weights);

}  // namespace cohort::mpi
