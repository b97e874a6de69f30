// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "mpi/core/topology_checks.hpp"
#include "mpi/core/topology_functions.hpp"

namespace cohort::mpi {
namespace {

const Graph& graph_of(const Communicator& communicator) { return topology_of<Graph>(communicator, "graph"); }

Graph checked_graph(const Communicator& communicator, int nnodes, const int* index, const int* edges) {
  check_intra(communicator);
  check_list(nnodes, index, "index");
  if (nnodes > communicator.size) {
    throw Mistake(abi::err_arg, fmt::format("the graph has {} nodes, but the communicator has {} processes", nnodes,
                                            communicator.size));
  }
  for (int i = 0; i < nnodes; ++i) {
    if (index[i] >= (i == 0 ? 0 : index[i - 1])) continue;
    throw Mistake(abi::err_arg, fmt::format("index[{}] is {}, less than the number before it", i, index[i]));
  }
  const int number = nnodes == 0 ? 0 : index[nnodes - 1];
  check_list(number, edges, "edges");
  for (int i = 0; i < number; ++i) {
    if (edges[i] >= 0 && edges[i] < nnodes) continue;
    throw Mistake(abi::err_arg, fmt::format("edges[{}] is {}, not a node from 0 to {}", i, edges[i], nnodes - 1));
  }
  return {{index, index + nnodes}, {edges, edges + number}};
}

}  // namespace

void graph_create(Communicator& old, int nnodes, const int* index, const int* edges, int /*reorder*/,
                  Communicator*& result) {
  Graph graph = checked_graph(old, nnodes, index, edges);
  result = nnodes > 0 ? comm_of_first(old, nnodes, "MPI_Graph_create") : nullptr;
  if (result != nullptr) result->topology = std::move(graph);
}

void graph_map(Communicator& communicator, int nnodes, const int* index, const int* edges, int& newrank) {
  checked_graph(communicator, nnodes, index, edges);
  newrank = communicator.rank < nnodes ? communicator.rank : abi::undefined;
}

void graphdims_get(Communicator& communicator, int& nnodes, int& nedges) {
  const Graph& graph = graph_of(communicator);
  nnodes = static_cast<int>(graph.index.size());
  nedges = static_cast<int>(graph.edges.size());
}

void graph_get(Communicator& communicator, int maxindex, int maxedges, int* index, int* edges) {
  const Graph& graph = graph_of(communicator);
  check_list(maxindex, index, "index");
  check_list(maxedges, edges, "edges");
  copy_first(graph.index, maxindex, index);
  copy_first(graph.edges, maxedges, edges);
}

void graph_neighbors_count(Communicator& communicator, int rank, int& number) {
  const Graph& graph = graph_of(communicator);
  check_rank(communicator, rank);
  number = static_cast<int>(graph.neighbours(rank).size());
}

void graph_neighbors(Communicator& communicator, int rank, int maxneighbors, int* neighbors) {
  const Graph& graph = graph_of(communicator);
  check_rank(communicator, rank);
  check_list(maxneighbors, neighbors, "neighbors");
  copy_first(graph.neighbours(rank), maxneighbors, neighbors);
}

}  // namespace cohort::mpi
