// SPDX-License-Identifier: Apache-2.0
// The local conditions that make the circulant schedules right, for every p up to 2000 and samples up to a million.
#include "collectives/patterns/circulant_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/collectives/highest_ranks.hpp"

namespace cohort {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

// The blocks that `position` receives: q different ones modulo q, one of this phase (none at the root), the others
// older.
bool receives_each_once(const CirculantSchedule& schedule, int q, Rank position) {
  std::vector<bool> seen(at(q), false);
  int of_this_phase = 0;
  for (int k = 0; k < q; ++k) {
    const int block = schedule.receive[at(k)];
    if (block < -q || block >= q || seen[at((block + q) % q)]) return false;
    seen[at((block + q) % q)] = true;
    if (block >= 0) ++of_this_phase;
  }
  return of_this_phase == (position == 0 ? 0 : 1);
}

// It has the blocks that it sends: received earlier in this phase, or the block of the phase before that has not been
// replaced.
bool has_what_it_sends(const CirculantSchedule& schedule, int q, Rank position) {
  if (position == 0) {
    for (int k = 0; k < q; ++k) {
      if (schedule.send[at(k)] != k) return false;
    }
    return true;
  }
  const auto* const end = schedule.receive.begin() + q;
  const int newest = *std::find_if(schedule.receive.begin(), end, [](int block) { return block >= 0; });
  for (int k = 0; k < q; ++k) {
    const auto* const received = schedule.receive.begin() + k;
    const int block = schedule.send[at(k)];
    if (block != newest - q && std::find(schedule.receive.begin(), received, block) == received) return false;
  }
  return true;
}

// It sends the blocks that the other side expects.
bool agrees_with_receivers(const CirculantGraph& graph, const CirculantSchedule& schedule, Rank position) {
  for (int k = 0; k < graph.rounds(); ++k) {
    const CirculantSchedule other(graph, graph.after(position, k));
    if (schedule.send[at(k)] != other.receive[at(k)]) return false;
  }
  return true;
}

bool is_right(const CirculantGraph& graph, Rank position) {
  const CirculantSchedule schedule(graph, position);
  return receives_each_once(schedule, graph.rounds(), position) &&
         has_what_it_sends(schedule, graph.rounds(), position) && agrees_with_receivers(graph, schedule, position);
}

TEST(CirculantGraph, HalvesItsSkips) {
  for (Rank p = 1; p <= 3000; ++p) {
    const CirculantGraph graph(p);
    ASSERT_EQ(graph.ranks(), p);
    ASSERT_EQ(graph.skip(0), 1);
    for (int k = 0; k < graph.rounds(); ++k) ASSERT_EQ(graph.skip(k), (graph.skip(k + 1) + 1) / 2) << p;
  }
}

TEST(CirculantSchedule, IsRightForEveryPositionOfUpTo2000Ranks) {
  const Rank highest = tests::highest_ranks(2000) < 40 ? 200 : 2000;
  for (Rank p = 2; p <= highest; ++p) {
    const CirculantGraph graph(p);
    for (Rank position = 0; position < p; ++position) ASSERT_TRUE(is_right(graph, position)) << p << " " << position;
  }
}

TEST(CirculantSchedule, IsRightForSamplesOfUpToAMillionRanks) {
  for (const Rank p : {2048, 2049, 4095, 10'000, 12'345, 65'535, 65'536, 65'537, 99'999, 100'000, 131'071, 524'289,
                       699'051, 999'983, 1'000'000}) {
    const CirculantGraph graph(p);
    for (Rank sample = 0; sample < 400; ++sample) {
      const Rank position = sample < 20 ? sample : static_cast<Rank>(std::int64_t{sample} * p / 400);
      ASSERT_TRUE(is_right(graph, position)) << p << " " << position;
      ASSERT_TRUE(is_right(graph, p - 1 - sample)) << p << " " << p - 1 - sample;
    }
  }
}

TEST(CirculantSchedule, WorksForTheHighestNumberOfRanks) {
  const CirculantGraph graph(std::numeric_limits<Rank>::max());
  EXPECT_EQ(graph.rounds(), 31);
  for (const Rank position : {0, 1, 2, 1'000'000'007, graph.ranks() / 2, graph.ranks() - 1}) {
    EXPECT_TRUE(is_right(graph, position)) << position;
  }
}

}  // namespace
}  // namespace cohort
