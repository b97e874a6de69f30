// SPDX-License-Identifier: Apache-2.0
// Losses of algorithms on real networks that the linear model does not have. The profile gives their sizes.
#pragma once

#include <vector>

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// The cost, with the volume that drift and crossing add (ChoiceProfile).
Cost with_losses(const Algorithm& algorithm, const Problem& problem, const Cost& cost, const ChoiceProfile& profile);

// Seconds for which all messages use the shared resource, if every message waits for the one before; 0 for all other
// schedules.
double shared_in_turn(const Cost& cost, const Problem& problem, const ChoiceProfile& profile);

// The messages and bytes that the link of each host carries in one call, in each direction.
class LinkLoads {
 public:
  explicit LinkLoads(const Problem& problem);

  void add(Rank sender, Rank receiver, Count elements);

  // The least time of one call in a row, in seconds: the time of the busiest link.
  double seconds_in_a_row(const ChoiceProfile& profile) const;

 private:
  struct Load {
    double starts = 0;
    double bytes = 0;
  };

  const Problem& problem_;
  Rank ranks_per_host_;
  std::vector<Load> out_, in_;  // by host
};

}  // namespace cohort
