// A schedule as a picture: ranks across, time down. A message is a line from its sender, at the time when it begins to
// leave, to a bead on its receiver's line, at its arrival. Beads and lines are coloured and numbered by the message's
// contents (trace.hpp finds them out). A ring says that the receiver combined it.
#pragma once

#include <string>

#include "collectives/simulator.hpp"

namespace cohort::pictures {

// More ranks could not be told apart.
inline constexpr Rank most_ranks = 64;

// The SVG. `name` is the title; the algorithm must be able to solve the problem.
std::string space_time(std::string_view name, const Algorithm& algorithm, const Problem& problem, Ports ports);

}  // namespace cohort::pictures
