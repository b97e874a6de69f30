// Choices that are remembered, so that a program whose sizes change from call to call does not have all algorithms
// priced each time. Problems of one class have the same choice: sizes count to the nearest quarter of an octave, roots
// as the first rank, the last one, or one between. What depends on the very size, such as the number of blocks, each
// algorithm finds for itself when it makes its schedule.
//
// Unequal blocks whose sizes all ranks know are in no class, since it matters where the large ones are: each problem is
// priced as it is. Where they are so short that sizes don't matter they count as equal blocks.
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

  // The problem that stands for all of the class.
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

class Choices {
 public:
  // What choose() says of the class's representative, or of the problem that is in none. The problem names no
  // parameters. Until the first problem of the class this takes as long as pricing all algorithms; then less than a
  // microsecond.
  Choice choose(const Problem& problem);

 private:
  std::map<ProblemClass, Choice> known_;
};

}  // namespace cohort
