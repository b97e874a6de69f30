// SPDX-License-Identifier: Apache-2.0
// Communicators with topologies, on ranks that are threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>

#include "mpi/core/numbers.hpp"
#include "mpi/core/topology_functions.hpp"
#include "tests/mpi/code_of.hpp"
#include "tests/support/world.hpp"

namespace cohort::mpi {
namespace {

using Ints = std::vector<int>;

struct Release {
  void operator()(Communicator* communicator) const { communicator->release(); }
};
using Owned = std::unique_ptr<Communicator, Release>;

void on_ranks(Pid ranks, const std::function<void(Communicator& all)>& program) {
  testing::run_all({.ranks = ranks}, [&](const Group& all) {
    const Owned communicator(new Communicator(all));
    program(*communicator);
  });
}

Owned grid(Communicator& old, const Ints& sides, const Ints& periods) {
  Communicator* result = nullptr;
  cart_create(old, static_cast<int>(sides.size()), sides.data(), periods.data(), 1, result);
  return Owned(result);
}

TEST(CartCreate, RanksWithoutAPlaceGetNoCommunicator) {
  for (Pid ranks = 1; ranks <= 7; ++ranks) {
    on_ranks(ranks, [&](Communicator& all) {
      for (const Ints& sides : {Ints{}, Ints{1}, Ints{2, 2}, Ints{3, 1}, Ints{2, 3}, Ints{ranks}}) {
        const Cartesian wanted{sides, std::vector<bool>(sides.size())};
        const Ints periods(sides.size());
        int newrank = 0;
        if (wanted.size() > ranks) {
          EXPECT_EQ(code_of([&] { grid(all, sides, periods); }), abi::err_dims);
          continue;
        }
        const Owned made = grid(all, sides, periods);
        cart_map(all, static_cast<int>(sides.size()), sides.data(), periods.data(), newrank);
        EXPECT_EQ(newrank, all.rank < wanted.size() ? all.rank : abi::undefined);
        ASSERT_EQ(made != nullptr, all.rank < wanted.size());
        if (made == nullptr) continue;
        EXPECT_EQ(made->size, wanted.size());
        EXPECT_EQ(made->rank, all.rank);
        int kind = 0;
        topo_test(*made, kind);
        EXPECT_EQ(kind, abi::cart);
      }
    });
  }
}

TEST(CartCreate, GivesBackWhatItWasGiven) {
  on_ranks(6, [](Communicator& all) {
    const Owned made = grid(all, {2, 3}, {0, 5});
    Ints dims(4, -7), periods(4, -7), coords(4, -7), same(4, -7);
    cart_get(*made, 4, dims.data(), periods.data(), coords.data());
    cart_coords(*made, all.rank, 4, same.data());
    EXPECT_EQ(dims, (Ints{2, 3, -7, -7}));
    EXPECT_EQ(periods, (Ints{0, 1, -7, -7}));
    EXPECT_EQ(coords, (Ints{all.rank / 3, all.rank % 3, -7, -7}));
    EXPECT_EQ(same, coords);
    int rank = 0, source = 0, destination = 0;
    cart_rank(*made, coords.data(), rank);
    EXPECT_EQ(rank, all.rank);
    cart_shift(*made, 0, 1, source, destination);
    EXPECT_EQ(source, all.rank < 3 ? abi::proc_null : all.rank - 3);
    EXPECT_EQ(destination, all.rank < 3 ? all.rank + 3 : abi::proc_null);
    cart_shift(*made, 1, -1, source, destination);
    EXPECT_EQ(source, all.rank / 3 * 3 + (all.rank + 1) % 3);
    EXPECT_EQ(destination, all.rank / 3 * 3 + (all.rank + 2) % 3);
    EXPECT_EQ(code_of([&] { cart_shift(*made, 2, 1, source, destination); }), abi::err_dims);
    EXPECT_EQ(code_of([&] { cart_coords(*made, 6, 4, same.data()); }), abi::err_rank);
    EXPECT_EQ(code_of([&] { cart_rank(all, coords.data(), rank); }), abi::err_topology);
  });
}

TEST(CartSub, KeepsTheOrderOfRanksAndDimensions) {
  on_ranks(12, [](Communicator& all) {
    const Ints sides{2, 3, 2}, periods{1, 0, 1};
    const Owned made = grid(all, sides, periods);
    const Ints place = std::get<Cartesian>(made->topology).coordinates_of(made->rank);
    for (unsigned bits = 0; bits < 8; ++bits) {
      Ints remain, kept_sides, kept_place;
      std::vector<bool> kept_periods;
      for (std::size_t i = 0; i < 3; ++i) {
        remain.push_back((bits >> i & 1) != 0 ? 1 : 0);
        if (remain.back() == 0) continue;
        kept_sides.push_back(sides[i]);
        kept_periods.push_back(periods[i] != 0);
        kept_place.push_back(place[i]);
      }
      Communicator* result = nullptr;
      cart_sub(*made, remain.data(), result);
      const Owned part(result);
      const Cartesian& topology = std::get<Cartesian>(part->topology);
      EXPECT_EQ(topology.sides, kept_sides);
      EXPECT_EQ(topology.periodic, kept_periods);
      EXPECT_EQ(part->size, topology.size());
      EXPECT_EQ(topology.coordinates_of(part->rank), kept_place);
    }
  });
}

TEST(GraphCreate, GivesBackWhatItWasGiven) {
  on_ranks(5, [](Communicator& all) {
    const Ints index{2, 3, 4, 6}, edges{1, 3, 0, 3, 0, 2};
    Communicator* result = nullptr;
    graph_create(all, 4, index.data(), edges.data(), 0, result);
    const Owned made(result);
    ASSERT_EQ(made != nullptr, all.rank < 4);
    if (made != nullptr) {
      int nodes = 0, number = 0;
      graphdims_get(*made, nodes, number);
      EXPECT_EQ(nodes, 4);
      EXPECT_EQ(number, 6);
      Ints same_index(4), same_edges(6), neighbours(2);
      graph_get(*made, 4, 6, same_index.data(), same_edges.data());
      EXPECT_EQ(same_index, index);
      EXPECT_EQ(same_edges, edges);
      graph_neighbors_count(*made, 3, number);
      graph_neighbors(*made, 3, 2, neighbours.data());
      EXPECT_EQ(number, 2);
      EXPECT_EQ(neighbours, (Ints{0, 2}));
    }
    graph_create(all, 0, nullptr, nullptr, 0, result);
    EXPECT_EQ(result, nullptr);
    const Ints wrong{2, 1};
    EXPECT_EQ(code_of([&] { graph_create(all, 2, wrong.data(), edges.data(), 0, result); }), abi::err_arg);
  });
}

struct Edge {
  int source = 0, destination = 0, weight = 0;
};

// The edges that each rank names, by rank.
std::vector<std::vector<Edge>> random_edges(std::mt19937& random, int ranks) {
  std::vector<std::vector<Edge>> edges(static_cast<std::size_t>(ranks));
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (auto i = random() % 20; i > 0; --i) {
    edges[static_cast<std::size_t>(below(ranks))].push_back({below(ranks), below(ranks), below(100)});
  }
  return edges;
}

Owned create(Communicator& all, const std::vector<Edge>& named, bool weighted) {
  Ints sources, degrees, destinations, weights;
  for (const Edge& edge : named) {
    if (sources.empty() || sources.back() != edge.source) {
      sources.push_back(edge.source);
      degrees.push_back(0);
    }
    ++degrees.back();
    destinations.push_back(edge.destination);
    weights.push_back(edge.weight);
  }
  Communicator* result = nullptr;
  dist_graph_create(all, static_cast<int>(sources.size()), sources.data(), degrees.data(), destinations.data(),
                    weighted ? weights.data() : unweighted, nullptr, 0, result);
  return Owned(result);
}

TEST(DistGraphCreate, EdgesReachTheirTwoEnds) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const bool weighted : {false, true}) {
      std::mt19937 random(seed);
      const Pid ranks = static_cast<Pid>(random() % 5 + 1);
      const auto edges = random_edges(random, ranks);
      on_ranks(ranks, [&](Communicator& all) {
        const Owned made = create(all, edges[static_cast<std::size_t>(all.rank)], weighted);
        Ints sources, destinations, source_weights, destination_weights;
        for (const auto& named : edges) {
          for (const Edge& edge : named) {
            if (edge.destination == all.rank) {
              sources.push_back(edge.source);
              source_weights.push_back(edge.weight);
            }
            if (edge.source == all.rank) {
              destinations.push_back(edge.destination);
              destination_weights.push_back(edge.weight);
            }
          }
        }
        int in = -1, out = -1, has_weights = -1;
        dist_graph_neighbors_count(*made, in, out, has_weights);
        EXPECT_EQ(has_weights, weighted ? 1 : 0);
        ASSERT_EQ(in, static_cast<int>(sources.size())) << "seed " << seed;
        ASSERT_EQ(out, static_cast<int>(destinations.size())) << "seed " << seed;
        Ints from(sources.size()), to(destinations.size()), from_weights(sources.size()),
            to_weights(destinations.size());
        dist_graph_neighbors(*made, in, from.data(), from_weights.data(), out, to.data(), to_weights.data());
        EXPECT_EQ(from, sources);
        EXPECT_EQ(to, destinations);
        EXPECT_EQ(from_weights, weighted ? source_weights : Ints(sources.size()));
        EXPECT_EQ(to_weights, weighted ? destination_weights : Ints(destinations.size()));
      });
    }
  }
}

TEST(DistGraphCreateAdjacent, KeepsTheOrder) {
  on_ranks(4, [](Communicator& all) {
    const Ints sources{3, 0, 3}, destinations{1, 1}, weights{5, 6, 7};
    Communicator* result = nullptr;
    dist_graph_create_adjacent(all, 3, sources.data(), weights.data(), 2, destinations.data(), weights.data(), nullptr,
                               0, result);
    const Owned made(result);
    Ints from(2), to(2), to_weights(2);  // room for the first two
    dist_graph_neighbors(*made, 2, from.data(), unweighted, 2, to.data(), to_weights.data());
    EXPECT_EQ(from, (Ints{3, 0}));
    EXPECT_EQ(to, destinations);
    EXPECT_EQ(to_weights, (Ints{5, 6}));
    EXPECT_EQ(neighbours_in(made->topology, made->rank).sources, sources);
    const auto create = [&](const int* source_weights, const int* destination_weights, int last) {
      const Ints changed{3, 0, last};
      return code_of([&] {
        dist_graph_create_adjacent(all, 3, changed.data(), source_weights, 2, destinations.data(), destination_weights,
                                   nullptr, 0, result);
      });
    };
    EXPECT_EQ(create(unweighted, weights.data(), 3), abi::err_arg);
    EXPECT_EQ(create(weights_empty, weights.data(), 3), abi::err_arg);
    EXPECT_EQ(create(weights.data(), weights.data(), 4), abi::err_arg);
  });
}

}  // namespace
}  // namespace cohort::mpi
