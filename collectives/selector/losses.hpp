// What algorithms lose on real networks and the linear model does not know. The profile holds how much.
#pragma once

#include <vector>

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// The cost with the volume that drift and crossing add.
Cost with_losses(const Algorithm& algorithm, const Problem& problem, const Cost& cost, const ChoiceProfile& profile);

// What all ranks share takes, in seconds, if every message waits for the one before; 0 for all other schedules.
double shared_in_turn(const Cost& cost, const Problem& problem, const ChoiceProfile& profile);

// What the link of each host carries in one call, in each direction.
class LinkLoads {
 public:
  explicit LinkLoads(const Problem& problem);

  void add(Rank sender, Rank receiver, Count elements);

  // What one call of a row takes at least, in seconds: the time of the busiest link.
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
