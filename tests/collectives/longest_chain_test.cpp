// SPDX-License-Identifier: Apache-2.0
// The closed forms of the costs say how many rounds overlap when a schedule is played by its data. The rest is at least
// the longest chain of messages in which each carries data of the one before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "collectives/registry.hpp"
#include "collectives/verifier.hpp"
#include "collectives/verifier/cases.hpp"

namespace cohort {
namespace {

// For one rank: the length of the chain of messages that brought each element.
class Depths {
 public:
  Count of(const Segment& segment) {
    const auto range = in(segment);
    return range.empty() ? 0 : *std::max_element(range.begin(), range.end());
  }
  void set(const Segment& segment, Count depth) { std::ranges::fill(in(segment), depth); }
  void play(const Step& step) {
    const Count depth = of(step.source);
    for (Count& known : in(step.target)) known = step.kind == Step::Kind::copy ? depth : std::max(known, depth);
  }

 private:
  std::span<Count> in(const Segment& segment) {
    std::vector<Count>& buffer = buffers_[static_cast<std::size_t>(segment.buffer)];
    if (static_cast<Count>(buffer.size()) < segment.end()) buffer.resize(static_cast<std::size_t>(segment.end()));
    return std::span(buffer).subspan(static_cast<std::size_t>(segment.offset), static_cast<std::size_t>(segment.count));
  }
  std::array<std::vector<Count>, 3> buffers_;
};

struct Player {
  Schedule schedule;
  Depths depths;
  Count arrived = 0;  // the deepest message so far
  Count fenced = 0;   // the chain that messages without data wait for
};

Count longest_chain(const Algorithm& algorithm, const Problem& problem) {
  std::vector<Player> players;
  std::size_t rounds = 0;
  for (Rank me = 0; me < problem.ranks; ++me) {
    players.push_back({algorithm.schedule(problem, me), {}});
    rounds = std::max(rounds, players.back().schedule.rounds());
  }
  Count longest = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    std::map<std::pair<Rank, Rank>, Count> sent;
    Round storage;
    const auto for_each_round = [&](const auto& play) {
      for (Rank me = 0; me < problem.ranks; ++me) {
        Player& player = players[static_cast<std::size_t>(me)];
        if (i < player.schedule.rounds()) play(me, player, player.schedule.round(i, storage));
      }
    };
    for_each_round([&](Rank me, Player& player, const Round& round) {
      if (round.fenced()) player.fenced = player.arrived;
      for (const Message& message : round.sends()) {
        Count depth = player.fenced;
        for (const Segment& segment : message.segments) depth = std::max(depth, player.depths.of(segment));
        longest = std::max(longest, sent[{me, message.peer}] = depth + 1);
      }
    });
    for_each_round([&](Rank me, Player& player, const Round& round) {
      for (const Message& message : round.receives()) {
        const Count depth = sent.at({message.peer, me});
        for (const Segment& segment : message.segments) player.depths.set(segment, depth);
        player.arrived = std::max(player.arrived, depth);
      }
      for (const Step& step : round.steps()) player.depths.play(step);
    });
  }
  return longest;
}

// The closed form of a Fibonacci tree is the time of its slowest path, which has more sends, and fewer messages, than
// the longest one: price_test.cpp.
bool has_slowest_path(const Algorithm& algorithm) {
  return !algorithm.parameters.empty() && algorithm.parameters.front().name == "s";
}

TEST(LongestChain, IsNoLongerThanWhatTheClosedFormLeaves) {
  std::size_t overlapping = 0;
  for (const Algorithm& algorithm : registry()) {
    if (has_slowest_path(algorithm)) continue;
    bool overlaps = false;
    for (const Rank p : {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 24}) {
      for (const Problem& problem : verifier::even_problems(algorithm, p)) {
        const Cost cost = algorithm.costs(problem);
        const Count chain = longest_chain(algorithm, problem);
        EXPECT_GE(cost.overlapped, 0) << algorithm.name << " " << to_string(problem);
        EXPECT_LE(chain, cost.rounds - cost.overlapped + cost.inner_rounds - cost.inner_overlapped)
            << algorithm.name << " " << to_string(problem);
        overlaps = overlaps || cost.overlapped > 0;
      }
    }
    overlapping += overlaps ? 1 : 0;
  }
  EXPECT_GE(overlapping, 20u);
}

TEST(LongestChain, IsWhatTheClosedFormLeavesOfTreesAndDoublingForPrefixes) {
  for (const char* name :
       {"prefix/doubling", "prefix/tree", "prefix/hybrid", "exclusive_prefix/doubling", "exclusive_prefix/window",
        "exclusive_prefix/one_two_three", "exclusive_prefix/tree", "exclusive_prefix/hybrid"}) {
    const Algorithm* algorithm = find_algorithm(name);
    ASSERT_NE(algorithm, nullptr) << name;
    for (Rank p = 1; p <= 40; ++p) {
      for (const Problem& problem : verifier::even_problems(*algorithm, p)) {
        const Cost cost = algorithm->costs(problem);
        EXPECT_EQ(longest_chain(*algorithm, problem), cost.rounds - cost.overlapped)
            << name << " " << to_string(problem);
      }
    }
  }
}

}  // namespace
}  // namespace cohort
