// Ranges of neighbouring ranks that merge, round by round, until one holds all, for any number of ranks: a butterfly
// whose radix may change, for reductions that keep the operands' order.
//
// The ranks of a range of n hold, part by part, the result of the range: of n parts of nearly equal length each has
// one. When ranges merge, each rank tells those that are to have it what it has of their smaller parts; the messages of
// a merge are one round. A range of an even number of ranks is made of two equal ones; else of three or five, if these
// divide it: then rank i of each exchanges with rank i of the others. Else it is made of two of which the first has one
// rank more: its parts are taken from the two in turn, and each lies within the part that its rank had before, so that
// a rank exchanges with at most two. For a prime number of ranks, too, that is about log2 p rounds and (p - 1) / p of
// the vector: what ranks receive more than others is about 0.1 of it.
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
  // What two ranks tell each other in a merge, in blocks first ... last - 1: while ranges merge this rank sends `given`
  // and hears what the other has of `kept`; when blocks are collected it sends `kept` and gets `given` back.
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

  // The part of the whole that this rank is left with, and who is left with a part.
  Rank part() const { return part_; }
  static Rank rank_of_part(Rank ranks, Rank part);

  // There is a block for each part of the whole. This rank's block of the result stands in `work` afterwards, which is
  // as long as the operand and may be it. As many rounds on all ranks.
  void add_reduction(Schedule& schedule, const Blocks& blocks, const Segment& operand, const Segment& work) const;

  // That block of the vector stands at its place; afterwards all do.
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

// Takes O(p) steps: of ranges of unequal size, each two ranks exchange something else.
Cost merging_reduction(const Blocks& blocks);
Cost merging_collect(const Blocks& blocks);

// Ranks that are not left with the block that has their number.
Rank displaced_by_merging(Rank ranks);

}  // namespace costs
}  // namespace cohort
