// SPDX-License-Identifier: Apache-2.0
// Balanced factors, and the ranks, coordinates and neighbours of topologies, without communicators.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "mpi/core/topology.hpp"
#include "mpi/core/topology_functions.hpp"
#include "tests/mpi/code_of.hpp"

namespace cohort::mpi {
namespace {

using Ints = std::vector<int>;

// Every list of so many factors, none larger than the one before it.
void for_each_factors(int number, int parts, int most, const std::function<void(const Ints&)>& check,
                      const Ints& before = {}) {
  if (parts == 0) {
    if (number == 1) check(before);
    return;
  }
  for (int factor = 1; factor <= std::min(number, most); ++factor) {
    if (number % factor != 0) continue;
    Ints now = before;
    now.push_back(factor);
    for_each_factors(number / factor, parts - 1, factor, check, now);
  }
}

Ints dims(int number, Ints given) {
  dims_create(number, static_cast<int>(given.size()), given.data());
  return given;
}

TEST(DimsCreate, FactorsAreAsCloseAsPossible) {
  for (int number = 1; number <= 500; ++number) {
    for (std::size_t parts = 1; parts <= 4; ++parts) {
      const Ints found = dims(number, Ints(parts));
      Ints smallest{number + 1};
      int least_spread = number;
      for_each_factors(number, static_cast<int>(parts), number, [&](const Ints& factors) {
        smallest = std::min(smallest, factors);
        least_spread = std::min(least_spread, factors.front() - factors.back());
      });
      EXPECT_EQ(found, smallest) << number;
      EXPECT_EQ(found.front() - found.back(), least_spread) << number;
    }
  }
}

TEST(DimsCreate, IsFastForNumbersWithManyDivisors) {
  for (const int number : {2095133040, 1 << 30, 1162261467, std::numeric_limits<int>::max()}) {
    for (std::size_t parts = 1; parts <= 40; ++parts) {
      const Ints found = dims(number, Ints(parts));
      EXPECT_TRUE(std::ranges::is_sorted(found, std::greater()));
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), 1, std::multiplies()), number);
    }
  }
}

TEST(DimsCreate, KeepsWhatIsGiven) {
  EXPECT_EQ(dims(6, {0, 0}), (Ints{3, 2}));
  EXPECT_EQ(dims(7, {0, 0}), (Ints{7, 1}));
  EXPECT_EQ(dims(6, {0, 3, 0}), (Ints{2, 3, 1}));
  EXPECT_EQ(dims(6, {2, 3}), (Ints{2, 3}));
  EXPECT_EQ(dims(5, {}), Ints{});
  for (int number = 1; number <= 100; ++number) {
    for (int given = 1; given <= 12; ++given) {
      Ints two{0, given, 0};
      if (number % given != 0) {
        EXPECT_EQ(code_of([&] { dims(number, two); }), abi::err_dims);
        continue;
      }
      const Ints found = dims(number, two), rest = dims(number / given, {0, 0});
      EXPECT_EQ(found, (Ints{rest[0], given, rest[1]}));
    }
  }
}

TEST(DimsCreate, RefusesWhatCantBe) {
  EXPECT_EQ(code_of([] { dims(7, {0, 3, 0}); }), abi::err_dims);
  EXPECT_EQ(code_of([] { dims(6, {0, -3}); }), abi::err_dims);
  EXPECT_EQ(code_of([] { dims(6, {2, 2}); }), abi::err_dims);
  EXPECT_EQ(code_of([] { dims(6, {3}); }), abi::err_dims);
  EXPECT_EQ(code_of([] { dims(0, {0}); }), abi::err_dims);
  EXPECT_EQ(code_of([] { dims_create(4, -1, nullptr); }), abi::err_dims);
}

// Every grid of up to three dimensions and 24 places, each dimension periodic or not.
void for_each_grid(const std::function<void(const Cartesian&)>& check) {
  for (int number = 1; number <= 24; ++number) {
    for (int parts = 0; parts <= 3; ++parts) {
      for_each_factors(number, parts, number, [&](Ints sides) {
        std::ranges::sort(sides);
        do {
          for (unsigned bits = 0; bits < 1u << parts; ++bits) {
            Cartesian grid{sides, {}};
            for (int i = 0; i < parts; ++i) grid.periodic.push_back((bits >> i & 1) != 0);
            check(grid);
          }
        } while (std::ranges::next_permutation(sides).found);
      });
    }
  }
}

TEST(Cartesian, RanksAndCoordinatesAreEachOthersInverse) {
  for_each_grid([](const Cartesian& grid) {
    Ints before;
    for (int rank = 0; rank < grid.size(); ++rank) {
      Ints place = grid.coordinates_of(rank);
      EXPECT_EQ(grid.rank_of(place), rank);
      EXPECT_TRUE(rank == 0 || before < place);  // row by row
      before = place;
      for (std::size_t i = 0; i < place.size(); ++i) {
        for (const int turns : {-3, -1, 1, 7}) {
          Ints outside = place;
          outside[i] += turns * grid.sides[i];
          if (grid.periodic[i]) {
            EXPECT_EQ(grid.rank_of(outside), rank);
          } else {
            EXPECT_EQ(code_of([&] { grid.rank_of(outside); }), abi::err_arg);
          }
        }
      }
    }
  });
}

TEST(Cartesian, NeighboursAreSoFarAlongTheDimension) {
  for_each_grid([](const Cartesian& grid) {
    for (int rank = 0; rank < grid.size(); ++rank) {
      Ints wanted;
      for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
        const auto i = static_cast<std::size_t>(dimension);
        for (const Count distance : {Count{-30}, Count{-2}, Count{-1}, Count{0}, Count{1}, Count{5}, Count{1} << 31}) {
          Ints place = grid.coordinates_of(rank);
          const Count there = place[i] + distance, side = grid.sides[i];
          place[i] = static_cast<int>((there % side + side) % side);
          const bool inside = grid.periodic[i] || (there >= 0 && there < side);
          const int neighbour = inside ? grid.rank_of(place) : abi::proc_null;
          EXPECT_EQ(grid.neighbour(rank, dimension, distance), neighbour);
          if (distance == -1 || distance == 1) wanted.push_back(neighbour);
        }
      }
      const Neighbours neighbours = neighbours_in(grid, rank);
      EXPECT_EQ(neighbours.sources, wanted);
      EXPECT_EQ(neighbours.destinations, wanted);
    }
  });
}

TEST(Graph, NeighboursAreThoseOfTheList) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    const int nodes = static_cast<int>(random() % 8 + 1);
    std::vector<Ints> lists(static_cast<std::size_t>(nodes));
    Graph graph;
    for (Ints& list : lists) {
      for (auto i = random() % 4; i > 0; --i) list.push_back(static_cast<int>(random()) % nodes);
      graph.edges.insert(graph.edges.end(), list.begin(), list.end());
      graph.index.push_back(static_cast<int>(graph.edges.size()));
    }
    for (int rank = 0; rank < nodes; ++rank) {
      const Neighbours neighbours = neighbours_in(graph, rank);
      EXPECT_EQ(neighbours.sources, lists[static_cast<std::size_t>(rank)]);
      EXPECT_EQ(neighbours.destinations, neighbours.sources);
    }
  }
}

TEST(Topology, OfADistributedGraphHasItsOwnLists) {
  DistributedGraph graph;
  graph.sources = {3, 1, 1};
  graph.destinations = {2};
  EXPECT_EQ(neighbours_in(graph, 0).sources, (Ints{3, 1, 1}));
  EXPECT_EQ(neighbours_in(graph, 0).destinations, Ints{2});
  EXPECT_EQ(code_of([] { neighbours_in(Topology(), 0); }), abi::err_topology);
}

}  // namespace
}  // namespace cohort::mpi
