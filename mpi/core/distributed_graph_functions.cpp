// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "cohort/detail/calls.hpp"
#include "mpi/core/numbers.hpp"
#include "mpi/core/topology_checks.hpp"
#include "mpi/core/topology_functions.hpp"

namespace cohort::mpi {
namespace {

const DistributedGraph& graph_of(const Communicator& communicator) {
  return topology_of<DistributedGraph>(communicator, "distributed graph");
}

void check_nodes(const Communicator& communicator, int length, const int* nodes, const char* name) {
  check_list(length, nodes, name);
  for (int i = 0; i < length; ++i) {
    if (nodes[i] >= 0 && nodes[i] < communicator.size) continue;
    throw Mistake(abi::err_arg,
                  fmt::format("{}[{}] is {}, not a rank from 0 to {}", name, i, nodes[i], communicator.size - 1));
  }
}

void check_weights(int length, const int* weights, const char* name) {
  if (weights == unweighted || length == 0) return;
  if (weights == nullptr || weights == weights_empty) {
    throw Mistake(abi::err_arg, fmt::format("{} has no weights for {} edges", name, length));
  }
  for (int i = 0; i < length; ++i) {
    if (weights[i] < 0) throw Mistake(abi::err_arg, fmt::format("{}[{}] is negative: {}", name, i, weights[i]));
  }
}

std::vector<int> weights_in(int length, const int* weights) {
  if (weights == unweighted || length == 0) return {};
  return {weights, weights + length};
}

Communicator* make(const char* function, Communicator& old, Info* info, DistributedGraph graph) {
  Communicator* const result = comm_of_first(old, old.size, function);
  result->topology = std::move(graph);
  if (info != nullptr) result->hints.assign(*info);
  return result;
}

// What one process tells another about an edge of the other's.
struct EdgeNotice {
  int peer;  // the process at the other end
  int weight;
  bool leaves;  // the edge leaves the process that is told, otherwise it arrives there
};
using Notices = std::vector<std::vector<EdgeNotice>>;  // by the rank of the process that is told

Notices notices_of(int size, int n, const int* sources, const int* degrees, const int* destinations,
                   const int* weights) {
  Notices notices(static_cast<std::size_t>(size));
  int edge = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < degrees[i]; ++k, ++edge) {
      const int weight = weights == unweighted ? 0 : weights[edge];
      notices[static_cast<std::size_t>(sources[i])].push_back({destinations[edge], weight, true});
      notices[static_cast<std::size_t>(destinations[edge])].push_back({sources[i], weight, false});
    }
  }
  return notices;
}

void run(Communicator& communicator, detail::Call call) {
  call.as = "MPI_Dist_graph_create";
  detail::run(detail::Handle{detail::state_of(communicator.all)}, std::move(call));
}

// What all processes, in the order of their ranks, have told this one.
std::vector<EdgeNotice> deliver(Communicator& communicator, const Notices& notices) {
  std::vector<Count> send_counts, receive_counts(notices.size());
  std::vector<EdgeNotice> out;
  for (const auto& of_one : notices) {
    send_counts.push_back(static_cast<Count>(of_one.size()));
    out.insert(out.end(), of_one.begin(), of_one.end());
  }
  run(communicator, detail::call_of<Count>(Operation::index, detail::memory_of(send_counts),
                                           detail::memory_of(receive_counts), Where::current()));
  Count total = 0;
  for (const Count count : receive_counts) total += count;
  std::vector<EdgeNotice> in(static_cast<std::size_t>(total));
  run(communicator, detail::with_counts(detail::call_of<EdgeNotice>(Operation::index, detail::memory_of(out),
                                                                    detail::memory_of(in), Where::current()),
                                        send_counts, receive_counts));
  return in;
}

}  // namespace

void dist_graph_create_adjacent(Communicator& old, int indegree, const int* sources, const int* source_weights,
                                int outdegree, const int* destinations, const int* destination_weights, Info* info,
                                int /*reorder*/, Communicator*& result) {
  check_intra(old);
  check_nodes(old, indegree, sources, "sources");
  check_nodes(old, outdegree, destinations, "destinations");
  check((source_weights == unweighted) == (destination_weights == unweighted), abi::err_arg,
        "MPI_UNWEIGHTED must be passed for both lists of weights, or for none");
  check_weights(indegree, source_weights, "sourceweights");
  check_weights(outdegree, destination_weights, "destweights");
  DistributedGraph graph;
  graph.sources.assign(sources, sources + indegree);
  graph.destinations.assign(destinations, destinations + outdegree);
  graph.source_weights = weights_in(indegree, source_weights);
  graph.destination_weights = weights_in(outdegree, destination_weights);
  graph.weighted = source_weights != unweighted;
  result = make("MPI_Dist_graph_create_adjacent", old, info, std::move(graph));
}

void dist_graph_create(Communicator& old, int n, const int* sources, const int* degrees, const int* destinations,
                       const int* weights, Info* info, int /*reorder*/, Communicator*& result) {
  check_intra(old);
  check_nodes(old, n, sources, "sources");
  check_list(n, degrees, "degrees");
  std::int64_t edges = 0;
  for (int i = 0; i < n; ++i) {
    check(degrees[i] >= 0, abi::err_arg, "a degree is negative");
    edges += degrees[i];
  }
  check(edges <= std::numeric_limits<int>::max(), abi::err_arg, "the degrees are too large");
  check_nodes(old, static_cast<int>(edges), destinations, "destinations");
  check_weights(static_cast<int>(edges), weights, "weights");

  DistributedGraph graph;
  graph.weighted = weights != unweighted;
  for (const EdgeNotice& edge : deliver(old, notices_of(old.size, n, sources, degrees, destinations, weights))) {
    (edge.leaves ? graph.destinations : graph.sources).push_back(edge.peer);
    if (graph.weighted) (edge.leaves ? graph.destination_weights : graph.source_weights).push_back(edge.weight);
  }
  result = make("MPI_Dist_graph_create", old, info, std::move(graph));
}

void dist_graph_neighbors_count(Communicator& communicator, int& indegree, int& outdegree, int& weighted) {
  const DistributedGraph& graph = graph_of(communicator);
  indegree = static_cast<int>(graph.sources.size());
  outdegree = static_cast<int>(graph.destinations.size());
  weighted = graph.weighted ? 1 : 0;
}

void dist_graph_neighbors(Communicator& communicator, int maxindegree, int* sources, int* source_weights,
                          int maxoutdegree, int* destinations, int* destination_weights) {
  const DistributedGraph& graph = graph_of(communicator);
  check_list(maxindegree, sources, "sources");
  check_list(maxoutdegree, destinations, "destinations");
  copy_first(graph.sources, maxindegree, sources);
  copy_first(graph.destinations, maxoutdegree, destinations);
  if (!graph.weighted) return;
  if (source_weights != unweighted) copy_first(graph.source_weights, maxindegree, source_weights);
  if (destination_weights != unweighted) copy_first(graph.destination_weights, maxoutdegree, destination_weights);
}

}  // namespace cohort::mpi
