// A schedule as a picture: ranks across, time down. A message is a line from its sender, when it begins to leave, to a
// bead on its receiver's line, when it has arrived. Beads and lines are coloured and numbered by what the message
// carries (trace.hpp says how that is known); a ring says that it was combined with what stood there.
#pragma once

#include <string>

#include "collectives/simulator.hpp"

namespace cohort::pictures {

// More ranks than this can't be told apart.
inline constexpr Rank most_ranks = 64;

// The SVG. `name` is the title; `problem` must be one that the algorithm can solve.
std::string space_time(std::string_view name, const Algorithm& algorithm, const Problem& problem, Ports ports);

}  // namespace cohort::pictures
