// SPDX-License-Identifier: Apache-2.0
// Ranges of neighbouring ranks that merge, round by round, until one holds all, for any number of ranks: a butterfly
// whose radix may change, for reductions that keep the operands' order.
//
// The ranks of a range of n hold the result of the range in n parts of nearly equal length, one each. When ranges
// merge, each rank sends its share of a smaller part to the rank that will have that part. The messages of a merge are
// one round. A range of an even number of ranks is made of two equal ranges; else of three or five, if these divide it.
// Then rank i of each exchanges with rank i of the others. Otherwise it is made of two, and the first has one rank
// more. The parts of the merged range are then taken from the two in turn, and each lies within the part that its rank
// had before, so a rank exchanges with at most two others. A prime number of ranks, too, takes about log2 p rounds and
// (p - 1) / p of the vector; the busiest ranks receive about 0.1 of the vector more.
// Source: Rabenseifner's butterfly (butterfly.hpp) for the powers of two; Watts 1994, section 5.2, for factors; ranges
// of unequal size are ours.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/cost.hpp"
#include "collectives/patterns/arrivals.hpp"

namespace cohort {

class MergingRanges {
 public:
  // The blocks first ... last - 1 that two ranks exchange in a merge. While ranges merge, this rank sends `given` and
  // receives the other's share of `kept`. When blocks are collected, it sends `kept` and receives `given`.
  struct Range {
    Rank first;
    Rank last;
    Rank size() const { return last - first; }
  };
  struct Exchange {
    Rank peer;
    Side side;
    Range given;
    Range kept;
  };

  MergingRanges(Rank ranks, Rank me);

  // The part of the whole that this rank ends with, and the rank that ends with a part.
  Rank part() const { return part_; }
  static Rank rank_of_part(Rank ranks, Rank part);

  // Merges. `blocks` has a block for each part of the whole vector. Afterwards this rank's block of the result is in
  // `work`, which is as long as the operand and may be the operand. All ranks get the same number of rounds.
  void add_reduction(Schedule& schedule, const Blocks& blocks, const Segment& operand, const Segment& work) const;

  // Collects. Before, this rank's block of the vector is at its place. Afterwards all blocks are there.
  void add_collect(Schedule& schedule, const Blocks& blocks, const Segment& vector) const;

 private:
  struct Merge {
    std::size_t round;
    std::vector<Exchange> exchanges;  // in the order in which this rank sends
  };

  std::size_t rounds_ = 0;
  Rank part_ = 0;
  std::vector<Merge> merges_;  // the smallest range first
};

namespace costs {

// Takes O(p) steps, because in ranges of unequal size every pair of ranks exchanges a different amount.
Cost merging_reduction(const Blocks& blocks);
Cost merging_collect(const Blocks& blocks);

// The number of ranks that do not end with the block of their own number.
Rank displaced_by_merging(Rank ranks);

}  // namespace costs
}  // namespace cohort
