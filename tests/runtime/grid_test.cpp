// SPDX-License-Identifier: Apache-2.0
// Grids and hypercubes of groups, over every transport: whom a process finds beside it, and in its subgrids.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Grids : public ::testing::TestWithParam<Kind> {
 protected:
  void everywhere(Pid ranks, const std::function<void(Process&)>& program,
                  const std::vector<Pid>& on_hosts = {}) const {
    World world{GetParam(), ranks, true, {}};
    world.on_hosts = on_hosts;
    run(world, program);
  }
};

// CCL's FORM2DGRID: a row and a column for each.
TEST_P(Grids, RowsAndColumns) {
  everywhere(6, [](Process& self) {
    const Grid grid = self.all().grid({2, 3});
    EXPECT_EQ(grid.id(), self.all().id());  // the same group, seen as a grid
    EXPECT_EQ(grid.coordinates(), (std::vector<Rank>{self.pid() / 3, self.pid() % 3}));
    const Grid row = grid.row(), column = grid.column();
    EXPECT_EQ(row.label(), self.pid() / 3);
    EXPECT_EQ(column.label(), self.pid() % 3);
    EXPECT_EQ(row.concat(self.pid()), (self.pid() < 3 ? std::vector<Pid>{0, 1, 2} : std::vector<Pid>{3, 4, 5}));
    EXPECT_EQ(column.concat(self.pid()), (std::vector<Pid>{self.pid() % 3, self.pid() % 3 + 3}));
  });
}

// Those in a subgrid are those with the same coordinates in the other dimensions, in the order of the grid.
TEST_P(Grids, SubgridsOfEveryListOfDimensions) {
  everywhere(12, [](Process& self) {
    const Grid grid = self.all().grid({2, 3, 1, 2});
    for (int subset = 0; subset < 16; ++subset) {
      std::vector<int> dimensions;
      for (int i = 0; i < 4; ++i) {
        if ((subset >> i) % 2 == 1) dimensions.insert(subset % 3 == 0 ? dimensions.begin() : dimensions.end(), i);
      }
      const Grid part = grid.subgrid(dimensions);
      std::vector<Pid> wanted;
      for (Rank rank = 0; rank < grid.size(); ++rank) {
        bool same = true;
        for (std::size_t i = 0; i < 4; ++i) {
          same = same && ((subset >> i) % 2 == 1 || grid.coordinates(rank)[i] == grid.coordinates()[i]);
        }
        if (same) wanted.push_back(rank);
      }
      ASSERT_EQ(part.members(), wanted);
      ASSERT_EQ(part.concat(self.pid()), wanted);
      ASSERT_EQ(part.dimensions(), static_cast<int>(dimensions.size()));
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        ASSERT_EQ(part.coordinates()[i], grid.coordinates()[static_cast<std::size_t>(dimensions[i])]);
      }
    }
    const Grid plane = grid.subgrid({0, 3});  // not at even distances: made by a partition
    EXPECT_EQ(plane.row().members(), grid.subgrid({3}).members());
    EXPECT_EQ(plane.column().concat(self.pid()), grid.subgrid({0}).members());
  });
}

TEST_P(Grids, NeighboursMeet) {
  everywhere(6, [](Process& self) {
    const Grid grid = self.all().grid({3, 2});
    for (const int dimension : {0, 1}) {
      const auto d = static_cast<std::size_t>(dimension);
      int from_before = -1;  // around each ring
      grid.exchange(std::vector<int>{self.pid()}, grid.neighbour(dimension), std::span(&from_before, 1),
                    grid.neighbour(dimension, -1));
      EXPECT_EQ(from_before, grid.neighbour(dimension, -1));

      const Pid mine = self.pid();  // over no edge
      Request out;
      if (const auto after = grid.open_neighbour(dimension))
        out = grid.start().send(std::span(&mine, 1), *after, Tag{1});
      const std::optional<Rank> before = grid.open_neighbour(dimension, -1);
      EXPECT_EQ(before.has_value(), grid.coordinates()[d] > 0);
      if (before) {
        EXPECT_EQ(grid.receive<Pid>(*before, Tag{1}), *before);
      }
      out.wait();
    }
    EXPECT_EQ(grid.rank_at({2, 1}), 5);
  });
}

// A sum over all, found by exchanges with the neighbours of a hypercube; and the same in its subcubes.
TEST_P(Grids, HypercubesAndSubcubes) {
  everywhere(8, [](Process& self) {
    const Grid cube = self.all().hypercube(3);
    const auto sum_over = [](const Grid& cube, int mine) {
      for (int dimension = 0; dimension < cube.dimensions(); ++dimension) {
        EXPECT_EQ(cube.neighbour(dimension), cube.rank() ^ (1 << dimension));
        int theirs = 0;
        cube.exchange(std::span(&mine, 1), cube.neighbour(dimension), std::span(&theirs, 1), cube.neighbour(dimension));
        mine += theirs;
      }
      return mine;
    };
    EXPECT_EQ(sum_over(cube, self.pid()), 28);
    for (const std::vector<int>& dimensions : {std::vector<int>{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
      const Grid subcube = cube.subgrid(dimensions);
      EXPECT_EQ(sum_over(subcube, self.pid()), subcube.combine(self.pid(), sum));
      EXPECT_EQ(subcube.size(), 1 << dimensions.size());
    }
  });
}

TEST_P(Grids, DetectMeshFindsHostsAndSlotsAlikeAtAllMembers) {
  const auto sides_of = [](const Group& group) {
    const Grid mesh = group.detect_mesh();
    for (const int dimensions : group.concat(mesh.dimensions())) EXPECT_EQ(dimensions, mesh.dimensions());
    std::vector<Rank> all(mesh.sides().size() * static_cast<std::size_t>(group.size()));
    group.concat(mesh.sides(), all);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], mesh.sides()[i % mesh.sides().size()]);
    return mesh.sides();
  };
  const auto on_even_hosts = [&](Process& self) {
    const Group all = self.all();
    const Pid me = self.pid();
    EXPECT_EQ(sides_of(all), (std::vector<Rank>{2, 3}));
    EXPECT_EQ(all.detect_mesh().row().members(), (me < 3 ? std::vector<Pid>{0, 1, 2} : std::vector<Pid>{3, 4, 5}));
    EXPECT_EQ(sides_of(all.partition(me / 3)), (std::vector<Rank>{1, 3}));
    EXPECT_EQ(sides_of(all.partition(me % 3)), (std::vector<Rank>{2, 1}));
    EXPECT_EQ(sides_of(all.partition(0, -me)), (std::vector<Rank>{2, 3}));  // backward, but host by host
    EXPECT_EQ(sides_of(all.partition(0, me % 3)), std::vector<Rank>{6});    // to the hosts in turn
    EXPECT_EQ(sides_of(all.partition(me == 2 ? 1 : 0)), (me == 2 ? std::vector<Rank>{1, 1} : std::vector<Rank>{5}));
  };
  everywhere(6, on_even_hosts, {3, 3});
  everywhere(6, [&](Process& self) { EXPECT_EQ(sides_of(self.all()), std::vector<Rank>{6}); }, {4, 2});
}

TEST_P(Grids, DetectMeshOnAGivenMesh) {
  everywhere(6, [](Process& self) {
    const Group all = self.all();
    const Grid whole = all.detect_mesh({2, 3});
    EXPECT_EQ(whole.sides(), (std::vector<Rank>{2, 3}));
    EXPECT_EQ(whole.row().combine(1, sum), 3);
    EXPECT_EQ(all.partition(0, self.pid() % 3).detect_mesh({2, 3}).sides(), (std::vector<Rank>{3, 2}));  // by columns
    EXPECT_EQ(all.partition(self.pid() % 3 == 1).detect_mesh({2, 3}).sides(),
              (self.pid() % 3 == 1 ? std::vector<Rank>{2} : std::vector<Rank>{2, 2}));
    EXPECT_EQ(all.partition(self.pid() == 4).detect_mesh({2, 3}).dimensions(), 1);
  });
}

TEST_P(Grids, WhatIsNotThereIsAnArgumentErrorThatNamesTheNumbers) {
  everywhere(6, [](Process& self) {
    const Group all = self.all();
    const auto refused = [&](const std::function<void()>& call, const std::string& why) {
      expect_error(ErrorCode::argument, {why, "(called at grid_test.cpp:"}, call);
    };
    refused([&] { static_cast<void>(all.grid({2, 4})); }, "a grid of 2x4 does not have 6 places");
    refused([&] { static_cast<void>(all.grid({-2, -3})); }, "a grid of -2x-3 has a side of -2");
    refused([&] { static_cast<void>(all.hypercube(3)); }, "it has 6 ranks, a hypercube of 3 dimensions 2^3");
    refused([&] { static_cast<void>(all.hypercube(-1)); }, "a hypercube of -1 dimensions");
    refused([&] { static_cast<void>(all.hypercube(40)); }, "a hypercube of 40 dimensions");
    const Grid grid = all.grid({2, 3});
    refused([&] { static_cast<void>(grid.subgrid({0, 0})); }, "dimension 0 is named twice");
    refused([&] { static_cast<void>(grid.subgrid({2})); }, "there is no dimension 2 in a grid of 2x3");
    refused([&] { static_cast<void>(grid.neighbour(2)); }, "there is no dimension 2");
    refused([&] { static_cast<void>(grid.open_neighbour(-1)); }, "there is no dimension -1");
    refused([&] { static_cast<void>(grid.rank_at({1, 3})); }, "coordinate 3 is out of range in dimension 1");
    refused([&] { static_cast<void>(grid.rank_at({1})); }, "1 coordinates for the 2 dimensions");
    refused([&] { static_cast<void>(grid.coordinates(6)); }, "rank 6 is out of range");
    refused([&] { static_cast<void>(all.grid({6}).row()); }, "a grid of 1 dimensions has none");
    refused([&] { static_cast<void>(all.grid({1, 2, 3}).column()); }, "a grid of 3 dimensions has none");
    refused([&] { static_cast<void>(all.detect_mesh({5, 1})); }, "a mesh of 5x1 has no place for pid 5");
    refused([&] { static_cast<void>(all.pid_of(-1)); }, "pid_of on group (0,0), rank ");
    refused([&] { static_cast<void>(all.pid_of(6)); }, "rank 6 is out of range: the group has the ranks 0 to 5");
    refused([&] { static_cast<void>(all.rank_of(6)); }, "pid 6 is not a member");
    refused([&] { static_cast<void>(all.group({0, 9})); }, "rank 9 is out of range: the group has the ranks 0 to 5");
    refused([&] { static_cast<void>(all.subrange(0, 2, 4)); }, "first 0, stride 2, count 4 leaves the group");
    EXPECT_EQ(grid.row().combine(1, sum), 3);  // nothing is broken
  });
  everywhere(1, [](Process& self) {
    EXPECT_EQ(self.all().grid({}).subgrid({}).combine(4, sum), 4);
    EXPECT_EQ(self.all().hypercube(0).dimensions(), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Grids, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
