// SPDX-License-Identifier: Apache-2.0
// The butterfly of 2^q positions on which a vector is halved, or doubled, from round to round. In each round positions
// that differ in one binary digit are partners. When the vector is halved each of the two keeps half of the parts; when
// it is doubled each begins with half.
//
// With distances that double (1, 2, 4, ...) every partial result is one of a range of ranks, so operands keep their
// order, but the parts end at the positions in bit-reversed order. With distances that halve (p / 2, ..., 2, 1) part i
// ends at position i, and operands are combined across the ranks.
// Source: Rabenseifner's algorithm, as in Sanders, Speck and Traeff 2009; folklore.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/folding.hpp"

namespace cohort {

class Butterfly {
 public:
  enum class Distances : std::uint8_t { doubling, halving };

  Butterfly(Rank positions, Distances distances);

  int rounds() const { return rounds_; }
  Rank partner(Rank position, int round) const { return position ^ distance(round); }
  bool partner_is_above(Rank position, int round) const { return (position & distance(round)) == 0; }

  // The parts first ... last - 1 that a position keeps after so many rounds of halving.
  struct Range {
    Rank first;
    Rank last;
  };
  Range parts(Rank position, int rounds) const;

 private:
  Rank distance(int round) const {
    return Rank{1} << (distances_ == Distances::doubling ? round : rounds_ - 1 - round);
  }

  int rounds_;
  Distances distances_;
};

// One rank's side of a butterfly among the leaders of groups of ranks (groups of one, if nothing is folded). The other
// ranks have empty rounds. The parts of the vector are the blocks.
class ButterflyRank {
 public:
  ButterflyRank(const Butterfly& butterfly, const Folding& ranks, const Blocks& parts)
      : butterfly_(butterfly), ranks_(ranks), parts_(parts) {}

  // The place of a range of parts in a vector.
  Segment in(const Segment& vector, Butterfly::Range range) const;

  // Halves the vector. Afterwards `work` holds the parts of the result that this rank keeps. `work` is as long as the
  // operand and may be the operand.
  void add_halving(Schedule& schedule, const Segment& operand, const Segment& work) const;

  // Doubles. Before, the parts that this rank keeps are at their places in the vector. Afterwards all parts are there.
  void add_doubling(Schedule& schedule, const Segment& vector) const;

  // Gathers all parts at the leader of the root's group only.
  void add_gather(Schedule& schedule, const Segment& vector, Rank root_group) const;

 private:
  const Butterfly& butterfly_;
  const Folding& ranks_;
  const Blocks& parts_;
};

// With distances that double, for any number of ranks: neighbours fold to the largest power of two. Each of its
// positions has a part of the problem's vector, or the blocks of its ranks.
struct FoldedButterfly {
  FoldedButterfly(const Problem& problem, Rank me, Rank leader = 0);

  Folding folding;
  Blocks parts;
  Butterfly graph;
};

namespace costs {

Cost vector_halving(const Blocks& parts);
Cost vector_doubling(const Blocks& parts);
Cost butterfly_gather(const Blocks& parts, Rank root);  // after halving with distances that double

}  // namespace costs
}  // namespace cohort
