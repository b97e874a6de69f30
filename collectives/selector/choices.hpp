// SPDX-License-Identifier: Apache-2.0
// Remembered choices, so that a program whose sizes change from call to call does not price all algorithms each time.
// Problems of one class have the same choice. Sizes count to the nearest quarter of an octave; roots count as the first
// rank, the last one, or one between. Parameters that depend on the exact size, such as the number of blocks, are
// computed by each algorithm when it makes its schedule.
//
// A problem with unequal blocks whose sizes all ranks know is in no class, because the places of the large blocks
// matter: it is priced as it is. If the blocks are so short that sizes do not matter, they count as equal blocks.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "collectives/selector/choose.hpp"

namespace cohort {

// A problem's class.
struct ProblemClass {
  explicit ProblemClass(const Problem& problem);

  // The problem that represents the class.
  Problem representative() const;

  friend std::partial_ordering operator<=>(const ProblemClass&, const ProblemClass&) = default;
  friend bool operator==(const ProblemClass&, const ProblemClass&) = default;

  Operation operation;
  Rank ranks;
  Rank root;    // 0, p / 2 or p - 1
  Count bytes;  // of the vector; or of a block, on average if they differ
  bool sizes_are_known;
  bool commutative;
  std::vector<Rank> mesh;
  std::optional<Network> within_host;
  Network network;
};

// Whether a problem with unequal blocks is priced as it is, outside of the classes. If all blocks together take far
// less time on a link than the start of a message, their sizes do not matter.
bool sizes_count(const Problem& problem);

class Choices {
 public:
  // The choice for the class's representative, or for the problem if it is in no class. The problem names no
  // parameters. The first call for a class takes as long as pricing all algorithms; later ones less than a microsecond.
  Choice choose(const Problem& problem);

 private:
  std::map<ProblemClass, Choice> known_;
};

}  // namespace cohort
