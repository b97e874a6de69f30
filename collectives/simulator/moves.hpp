// SPDX-License-Identifier: Apache-2.0
// All ranks' messages and combining, for a simulation. They are made for one run of rounds at a time, so that memory is
// bounded. Several threads make them, each for ranks of its own.
#pragma once

#include <functional>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort::simulator {

struct Move {
  Rank from = 0;
  Rank to = 0;
  Count elements = 0;
};

struct Combining {
  Rank rank = 0;
  Count elements = 0;
};

// One round of some ranks, in their order.
struct RoundMoves {
  std::vector<Move> sends;
  std::vector<Combining> combining;
  std::vector<Segments> segments;  // of each send, if the caller wants them
  Count most_sent = 0;             // most elements that one rank sends, or receives if it receives several messages
  Count most_combined = 0;
  Count most_messages = 0;  // most messages that one rank sends, or receives
  Count total = 0;          // elements sent

  void clear();
};

// The number of runs in which the moves of so many ranks and rounds are made.
std::size_t runs(Rank ranks, std::size_t rounds);

class Moves {
 public:
  Moves(const Algorithm& algorithm, const Problem& problem, int threads, bool with_segments);

  // Makes rounds from `first` on, as many as fit into memory. Calls `on_progress` with the rounds that are done, as an
  // average over all ranks. Every schedule is made anew for each run, because all schedules would take too much memory.
  void make(std::size_t first, const std::function<void(double rounds)>& on_progress);

  std::size_t made() const { return made_; }      // rounds in this run
  std::size_t rounds() const { return rounds_; }  // of the longest schedule, once make() has run; before, of rank 0's

  // Round `index` of this run, in parts of ascending ranks.
  const std::vector<const RoundMoves*>& round(std::size_t index);

 private:
  struct Group {
    Rank first = 0;
    Rank last = 0;
    std::size_t rounds = 0;  // of the longest schedule
    std::vector<RoundMoves> made;
  };
  void make(Group& group, std::size_t first, const std::function<void(double rounds)>& on_progress) const;
  void add(Group& group, RoundMoves& moves, Rank me, const Round& round) const;

  const Algorithm& algorithm_;
  const Problem& problem_;
  bool with_segments_;
  std::size_t room_;  // rounds
  std::vector<Group> groups_;
  std::size_t made_ = 0;
  std::size_t rounds_ = 0;
  std::vector<const RoundMoves*> parts_;
};

}  // namespace cohort::simulator
