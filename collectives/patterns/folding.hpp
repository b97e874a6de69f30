// SPDX-License-Identifier: Apache-2.0
// Divides any number of ranks into a convenient number of groups of neighbours, of nearly equal size. Before an
// algorithm for that number each group folds its operands into its leader's; afterwards the leader sends the group the
// result.
#pragma once

#include <vector>

#include "collectives/cost.hpp"
#include "collectives/patterns/partial_result.hpp"
#include "collectives/problem.hpp"

namespace cohort {

class Folding {
 public:
  // The first rank of each group is its leader. In the group of `leader`, that rank is the leader instead.
  Folding(Rank ranks, Rank groups, Rank me, Rank leader = 0)
      : groups_(Blocks::split(groups, ranks)), me_(me), leader_(leader), group_(group_of(me)) {}

  Rank groups() const { return groups_.size(); }
  Rank group() const { return group_; }  // of this rank
  bool leads() const { return leader_of(group_) == me_; }
  bool folds() const { return groups_.largest() > 1; }  // whether any rank folds
  Rank first_of(Rank group) const { return static_cast<Rank>(groups_.offset(group)); }

  Rank group_of(Rank rank) const {
    const Count size = groups_.largest();  // the larger groups come first
    const auto larger = static_cast<Rank>(groups_.total() - (size - 1) * groups_.size());
    if (rank < larger * size) return static_cast<Rank>(rank / size);
    return static_cast<Rank>(larger + (rank - larger * size) / (size - 1));
  }

  Rank leader_of(Rank group) const { return group == group_of(leader_) ? leader_ : first_of(group); }

  // The ranks' blocks as one block for each group.
  Blocks joined(const Blocks& blocks) const {
    if (!folds()) return blocks;
    std::vector<Count> counts(static_cast<std::size_t>(groups()));
    for (Rank group = 0; group < groups(); ++group) {
      counts[static_cast<std::size_t>(group)] = blocks.offset(first_of(group + 1)) - blocks.offset(first_of(group));
    }
    return Blocks(counts);
  }

  // One round in which the leaders receive, if any rank folds.
  void add_fold(Schedule& schedule, PartialResult& partial) const {
    if (!folds()) return;
    Round& round = schedule.add_round();
    if (!leads()) return round.send(leader_of(group_), partial.standing());
    for (Rank rank = me_ - 1; rank >= first_of(group_); --rank) partial.receive_left(round, rank);
    for (Rank rank = me_ + 1; rank < first_of(group_ + 1); ++rank) partial.receive_right(round, rank);
  }

  // One round in which the leaders send.
  void add_unfold(Schedule& schedule, const Segment& result) const {
    if (!folds()) return;
    Round& round = schedule.add_round();
    if (!leads()) return round.receive(leader_of(group_), result);
    for (Rank rank = first_of(group_); rank < first_of(group_ + 1); ++rank) {
      if (rank != me_) round.send(rank, result);
    }
  }

  Cost fold_cost(Count count) const {
    if (!folds()) return {};
    return {1,
            (groups_.largest() - 1) * count,
            (groups_.total() - groups_.size()) * count,
            (groups_.largest() - 1) * count,
            groups_.total() - groups_.size(),
            groups_.largest() - 2};
  }

  Cost unfold_cost(Count count) const {
    if (!folds()) return {};
    return {1, (groups_.largest() - 1) * count,  (groups_.total() - groups_.size()) * count,
            0, groups_.total() - groups_.size(), groups_.largest() - 2};
  }

 private:
  Blocks groups_;
  Rank me_;
  Rank leader_;
  Rank group_;
};

}  // namespace cohort
