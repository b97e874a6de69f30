// SPDX-License-Identifier: Apache-2.0
// A schedule as a picture: ranks across, time down. A message is a line from its sender, at the time when it begins to
// leave, to a bead on its receiver's line, at the time of its arrival. Beads and lines are coloured and numbered by the
// message's contents, which trace.hpp finds. A ring shows that the receiver combined the message.
#pragma once

#include <string>

#include "collectives/simulator.hpp"

namespace cohort::pictures {

// The picture of more ranks would be unreadable.
inline constexpr Rank most_ranks = 64;

// The SVG. `name` is the title; the algorithm must be able to solve the problem.
std::string space_time(std::string_view name, const Algorithm& algorithm, const Problem& problem, Ports ports);

}  // namespace cohort::pictures
