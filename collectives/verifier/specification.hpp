// SPDX-License-Identifier: Apache-2.0
// The meaning of each operation: the place of every rank's operand before it, and the value of every element of every
// output after it. It is stated here once and not derived from any algorithm.
#pragma once

#include <span>

#include "collectives/problem.hpp"

namespace cohort::verifier {

// Operands first ... last - 1 combined in this order, each at its own element `element`. Without operands (first =
// last), the output does not change.
struct Origin {
  Rank first = 0;
  Rank last = 0;
  Count element = 0;
};

class Specification {
 public:
  // One problem for each rank; they may differ in the operation's arguments. `problems` must outlive this object.
  explicit Specification(std::span<const Problem> ranks) : ranks_(ranks) {}

  Rank ranks() const { return static_cast<Rank>(ranks_.size()); }
  const Problem& problem(Rank rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  // The place of the rank's operand at the start; without elements if the rank has no operand.
  Segment operand(Rank rank) const;
  Count output_size(Rank rank) const;

  // `before` is the origin of the element before, if it is known: then the search for the origin is short.
  Origin origin(Rank rank, Count element, const Origin& before = {}) const;

 private:
  std::span<const Problem> ranks_;
};

}  // namespace cohort::verifier
