// What each operation means: where every rank's operand stands before it, and what every element of every output holds
// after it. Stated here once, and nowhere derived from an algorithm.
#pragma once

#include <span>

#include "collectives/problem.hpp"

namespace cohort::verifier {

// Operands first ... last - 1 combined in this order, each at its own element `element`. None (first = last): the
// output stays as it is.
struct Origin {
  Rank first = 0;
  Rank last = 0;
  Count element = 0;
};

class Specification {
 public:
  // One problem for each rank: they differ where an operation's arguments do. The problems outlive this.
  explicit Specification(std::span<const Problem> ranks) : ranks_(ranks) {}

  Rank ranks() const { return static_cast<Rank>(ranks_.size()); }
  const Problem& problem(Rank rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  // Where the rank's operand stands at the start. No elements: it has none.
  Segment operand(Rank rank) const;
  Count output_size(Rank rank) const;
  Origin origin(Rank rank, Count element) const;

 private:
  std::span<const Problem> ranks_;
};

}  // namespace cohort::verifier
