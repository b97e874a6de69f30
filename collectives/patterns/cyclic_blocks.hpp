// SPDX-License-Identifier: Apache-2.0
// The blocks of a vector in cyclic order from one rank, whose own block has position 0.
#pragma once

#include <algorithm>

#include "collectives/peers.hpp"
#include "collectives/problem.hpp"

namespace cohort {

class CyclicBlocks {
 public:
  // `blocks` must outlive this object.
  CyclicBlocks(const Blocks& blocks, Rank first) : blocks_(blocks), first_(first) {}

  // Positions first ... last - 1 of the vector: one segment, or two if they wrap around the last rank.
  Segments run(const Segment& vector, Rank first, Rank last) const {
    Segments segments;
    const Rank begin = modulo(std::int64_t{first_} + first, blocks_.size());
    const Rank length = last - first;
    const Rank until_end = std::min(length, blocks_.size() - begin);
    segments.add(blocks_.range(vector, begin, begin + until_end));
    segments.add(blocks_.range(vector, 0, length - until_end));
    return segments;
  }

  // How many elements positions first ... last - 1 have.
  Count count(Rank first, Rank last) const { return run({}, first, last).count(); }

 private:
  const Blocks& blocks_;
  Rank first_;
};

}  // namespace cohort
