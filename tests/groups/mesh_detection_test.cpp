// SPDX-License-Identifier: Apache-2.0
// Which groups are meshes, on physical meshes and on hosts.
#include "groups/mesh_detection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cohort {
namespace {

using Ranks = std::vector<Rank>;

// The nodes of a part of the physical mesh: these coordinates of each dimension, row by row, the dimensions in this
// order.
Ranks walk(const Ranks& physical, const std::vector<Ranks>& coordinates, const std::vector<std::size_t>& order) {
  Ranks nodes{0};
  for (const std::size_t dimension : order) {
    Ranks further;
    Rank stride = 1;
    for (std::size_t i = dimension + 1; i < physical.size(); ++i) stride *= physical[i];
    for (const Rank node : nodes) {
      for (const Rank coordinate : coordinates[dimension]) further.push_back(node + coordinate * stride);
    }
    nodes = further;
  }
  return nodes;
}

TEST(DetectMesh, FindsEveryPartThatIsAMesh) {
  const Ranks physical{3, 4, 5};
  std::mt19937 random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Ranks> coordinates;  // some of each dimension, in order
    for (const Rank side : physical) {
      Ranks all(static_cast<std::size_t>(side));
      std::iota(all.begin(), all.end(), 0);
      std::ranges::shuffle(all, random);
      all.resize(random() % all.size() + 1);
      std::ranges::sort(all);
      coordinates.push_back(all);
    }
    std::vector<std::size_t> order{0, 1, 2};
    std::ranges::shuffle(order, random);
    Ranks wanted;
    for (const std::size_t dimension : order) {
      if (coordinates[dimension].size() > 1) wanted.push_back(static_cast<Rank>(coordinates[dimension].size()));
    }
    if (wanted.empty()) wanted = {1};
    Ranks nodes = walk(physical, coordinates, order);
    EXPECT_EQ(detect_mesh(nodes, physical), wanted);

    // Neither with a node less, nor with two in each other's place.
    if (wanted.size() < 2) continue;
    const auto p = static_cast<Rank>(nodes.size());
    Ranks less(nodes.begin(), nodes.end() - 1);
    EXPECT_EQ(detect_mesh(less, physical), Ranks{p - 1});
    std::swap(nodes[0], nodes[random() % (nodes.size() - 1) + 1]);
    EXPECT_EQ(detect_mesh(nodes, physical), Ranks{p});
  }
}

TEST(DetectMesh, ALineIsALine) {
  EXPECT_EQ(detect_mesh(Ranks{4}, Ranks{3, 3}), Ranks{1});
  EXPECT_EQ(detect_mesh(Ranks{3, 4, 5}, Ranks{3, 3}), Ranks{3});  // a row
  EXPECT_EQ(detect_mesh(Ranks{1, 4, 7}, Ranks{3, 3}), Ranks{3});  // a column
  EXPECT_EQ(detect_mesh(Ranks{0, 4, 8}, Ranks{3, 3}), Ranks{3});  // a diagonal
  EXPECT_EQ(detect_mesh(Ranks{0, 1, 3}, Ranks{3, 3}), Ranks{3});  // a corner
  EXPECT_EQ(detect_mesh(Ranks{5, 4, 3, 2}, Ranks{6}), Ranks{4});  // backward
}

TEST(DetectMesh, DefectsNameTheNumbers) {
  EXPECT_EQ(defect_of_mesh(Ranks{4, 5}, 19), std::nullopt);
  EXPECT_EQ(defect_of_mesh(Ranks{4, 5}, 20), "a mesh of 4x5 has no place for pid 20");
  EXPECT_EQ(defect_of_mesh(Ranks{4, -5}, 2), "a mesh of 4x-5 has a side of -5");
  EXPECT_EQ(defect_of_mesh(Ranks{1 << 20, 1 << 20}, 2),
            "a mesh of 1048576x1048576 has more places than there can be processes");
}

TEST(DetectHosts, IsAMeshWhereAllHostsHaveAsManyAndRanksGoHostByHost) {
  for (Rank hosts = 1; hosts <= 6; ++hosts) {
    for (Rank slots = 1; slots <= 5; ++slots) {
      Ranks by_rank;
      for (Rank rank = 0; rank < hosts * slots; ++rank) by_rank.push_back(100 - rank / slots);
      EXPECT_EQ(detect_hosts(by_rank), (Ranks{hosts, slots}));
      if (hosts == 1) continue;
      Ranks more = by_rank;
      more.push_back(more.back());
      EXPECT_EQ(detect_hosts(more), Ranks{hosts * slots + 1});  // one host has one more
      more.back() = by_rank.front();
      EXPECT_EQ(detect_hosts(more), Ranks{hosts * slots + 1});
      if (slots == 1) continue;
      Ranks dealt;
      for (Rank rank = 0; rank < hosts * slots; ++rank) dealt.push_back(rank % hosts);
      EXPECT_EQ(detect_hosts(dealt), Ranks{hosts * slots});  // to one host after the other
      by_rank.pop_back();
      EXPECT_EQ(detect_hosts(by_rank), Ranks{hosts * slots - 1});  // one host has one less
    }
  }
  EXPECT_EQ(detect_hosts(Ranks{0, 0, 1, 1, 0, 0}), Ranks{6});  // a host comes twice
}

}  // namespace
}  // namespace cohort
