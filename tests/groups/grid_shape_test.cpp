// SPDX-License-Identifier: Apache-2.0
// Coordinates, neighbours and slices, for every shape of every number of ranks.
#include "groups/grid_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace cohort {
namespace {

using Sides = std::vector<Rank>;

// Every list of sides with this product, with up to three sides of one among up to five.
void for_each_sides(Rank ranks, const std::function<void(const Sides&)>& check, Sides sides = {}) {
  if (ranks == 1) check(sides);
  if (sides.size() == 5) return;
  sides.push_back(0);
  for (Rank side = std::ranges::count(sides, 1) < 3 ? 1 : 2; side <= ranks; ++side) {
    if (ranks % side != 0) continue;
    sides.back() = side;
    for_each_sides(ranks / side, check, sides);
  }
}

void for_each_shape(const std::function<void(const GridShape&, Rank ranks)>& check) {
  for (Rank ranks = 1; ranks <= 36; ++ranks) {
    for_each_sides(ranks, [&](const Sides& sides) {
      ASSERT_EQ(defect_of_sides(sides, ranks), std::nullopt);
      check(GridShape::by_rows(sides), ranks);
    });
  }
  for (int dimensions = 0; dimensions <= 6; ++dimensions) check(GridShape::hypercube(dimensions), 1 << dimensions);
}

TEST(GridShape, CoordinatesAndRanksAreEachOthersInverse) {
  for_each_shape([](const GridShape& shape, Rank ranks) {
    std::set<Sides> seen;
    for (Rank rank = 0; rank < ranks; ++rank) {
      const Sides coordinates = shape.coordinates(rank);
      ASSERT_EQ(shape.defect_of_coordinates(coordinates), std::nullopt);
      ASSERT_EQ(shape.rank_at(coordinates), rank);
      seen.insert(coordinates);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(ranks));
  });
}

TEST(GridShape, RanksGoRowByRow) {
  for (Rank ranks = 1; ranks <= 36; ++ranks) {
    for_each_sides(ranks, [&](const Sides& sides) {
      const GridShape shape = GridShape::by_rows(sides);
      for (Rank rank = 1; rank < ranks; ++rank) EXPECT_LT(shape.coordinates(rank - 1), shape.coordinates(rank));
    });
  }
}

TEST(GridShape, DimensionsOfAHypercubeAreTheBitsOfItsRanks) {
  const GridShape cube = GridShape::hypercube(4);
  for (Rank rank = 0; rank < 16; ++rank) {
    for (int bit = 0; bit < 4; ++bit) EXPECT_EQ(cube.neighbour(rank, bit, 1), rank ^ (1 << bit));
  }
  EXPECT_EQ(cube.coordinates(0b0110), (Sides{0, 1, 1, 0}));
}

TEST(GridShape, NeighboursDifferInOneCoordinateByTheDistance) {
  for_each_shape([](const GridShape& shape, Rank ranks) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (int dimension = 0; dimension < shape.dimensions(); ++dimension) {
        const auto d = static_cast<std::size_t>(dimension);
        const Rank side = shape.sides()[d];
        const Sides here = shape.coordinates(rank);
        for (Count distance = -side - 1; distance <= side + 1; ++distance) {
          Sides there = here;
          there[d] = static_cast<Rank>((here[d] + distance + 2 * side) % side);
          ASSERT_EQ(shape.coordinates(shape.neighbour(rank, dimension, distance)), there);
          const bool inside = here[d] + distance >= 0 && here[d] + distance < side;
          ASSERT_EQ(shape.open_neighbour(rank, dimension, distance),
                    inside ? std::optional<Rank>(shape.rank_at(there)) : std::nullopt);
        }
      }
    }
  });
  constexpr Count farthest = std::numeric_limits<Count>::max();
  const GridShape line = GridShape::by_rows(Sides{8});
  EXPECT_EQ(line.neighbour(3, 0, farthest), (3 + 7) % 8);
  EXPECT_EQ(line.neighbour(3, 0, -farthest - 1), 3);
  EXPECT_EQ(line.open_neighbour(3, 0, farthest), std::nullopt);
  EXPECT_EQ(line.open_neighbour(3, 0, -farthest - 1), std::nullopt);
}

// For every subset of the dimensions, whatever their order.
void for_each_list(const GridShape& shape, const std::function<void(const std::vector<int>&)>& check) {
  for (int subset = 0; subset < 1 << shape.dimensions(); ++subset) {
    std::vector<int> dimensions;
    for (int i = 0; i < shape.dimensions(); ++i) {
      if ((subset >> i) % 2 == 1) dimensions.push_back(i);
    }
    check(dimensions);
    std::ranges::reverse(dimensions);
    check(dimensions);
    if (dimensions.size() > 2) std::swap(dimensions[0], dimensions[1]), check(dimensions);
  }
}

TEST(GridShape, SlicesAreThoseThatDifferInTheDimensionsOnly) {
  for_each_shape([](const GridShape& shape, Rank ranks) {
    for_each_list(shape, [&](const std::vector<int>& dimensions) {
      std::map<Sides, std::vector<Rank>> slices;  // by the other coordinates
      const auto others = [&](Rank rank) {
        Sides coordinates = shape.coordinates(rank);
        for (const int dimension : dimensions) coordinates[static_cast<std::size_t>(dimension)] = 0;
        return coordinates;
      };
      for (Rank rank = 0; rank < ranks; ++rank) slices[others(rank)].push_back(rank);
      const GridShape part = shape.of(dimensions);
      std::map<Rank, std::int64_t> numbers;  // by the lowest rank
      for (Rank rank = 0; rank < ranks; ++rank) {
        const std::vector<Rank>& members = slices[others(rank)];
        const GridShape::Slice slice = shape.slice(dimensions, rank);
        ASSERT_EQ(slice.first, members.front());
        ASSERT_EQ(slice.size, static_cast<Rank>(members.size()));
        bool even = true;
        for (std::size_t i = 1; i < members.size(); ++i)
          even = even && members[i] - members[i - 1] == members[1] - members[0];
        const Rank stride = members.size() < 2 ? 1 : members[1] - members[0];
        ASSERT_EQ(slice.stride, even ? stride : 0);
        numbers[slice.first] = slice.number;
        // In the slice's own shape each has the same coordinates, in the order of the list.
        const auto place = static_cast<Rank>(std::ranges::find(members, rank) - members.begin());
        Sides wanted;
        for (const int dimension : dimensions)
          wanted.push_back(shape.coordinates(rank)[static_cast<std::size_t>(dimension)]);
        ASSERT_EQ(part.coordinates(place), wanted);
      }
      std::int64_t next = 0;
      for (const auto& [first, number] : numbers) ASSERT_EQ(number, next++);
    });
  });
}

TEST(GridShape, DefectsNameTheNumbers) {
  EXPECT_EQ(defect_of_sides(Sides{4, 6}, 23), "a grid of 4x6 does not have 23 places, one for each rank of the group");
  EXPECT_EQ(defect_of_sides(Sides{1 << 30, 1 << 30, 1 << 30}, 7).value_or("").substr(0, 40),
            "a grid of 1073741824x1073741824x10737418");
  EXPECT_EQ(defect_of_sides(Sides{2, 0, 4}, 8), "a grid of 2x0x4 has a side of 0");
  EXPECT_EQ(defect_of_sides(Sides{}, 2),
            "a grid of no dimensions does not have 2 places, one for each rank of the group");
  const GridShape shape = GridShape::by_rows(Sides{4, 6});
  EXPECT_EQ(shape.defect_of_coordinates(Sides{3, 6}),
            "coordinate 6 is out of range in dimension 1 of a grid of 4x6: 0 to 5");
  EXPECT_EQ(shape.defect_of_coordinates(Sides{-1, 0}),
            "coordinate -1 is out of range in dimension 0 of a grid of 4x6: 0 to 3");
  EXPECT_EQ(shape.defect_of_coordinates(Sides{1}), "1 coordinates for the 2 dimensions of a grid of 4x6");
  EXPECT_EQ(shape.defect_of_dimensions(std::vector<int>{1, 0, 1}), "dimension 1 is named twice");
  EXPECT_EQ(shape.defect_of_dimensions(std::vector<int>{2}), "there is no dimension 2 in a grid of 4x6");
  EXPECT_EQ(shape.defect_of_dimensions(std::vector<int>{-1}), "there is no dimension -1 in a grid of 4x6");
}

}  // namespace
}  // namespace cohort
