// Which process a broken link costs the job. Two processes that can't reach each other both live; one of them has to
// go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// `by` says that its link to `of` broke.
struct Accusation {
  Pid by = 0;
  Pid of = 0;
  std::string cause;
};

// The process with links to the most others broken, and one who says so; of several the one that more accuse, then one
// that has sent nonsense, then the highest. Nothing where there are no accusations.
std::optional<Accusation> worst(const std::vector<Accusation>& accusations);

}  // namespace cohort
