// The shape of a group on what it stands on, so that collectives can be done dimension by dimension. Where there is
// none, the group is a line.
// Source: Watts 1994, section 15.3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// The sides of the mesh that the members form, row by row in the order of their ranks, if they are a part of the
// physical mesh that is a mesh itself: as many in each row, column and so on. Its dimensions may be in another order
// than the physical mesh's; sides of one are left out. Otherwise {p}. `nodes`, by rank: the member's place on the
// physical mesh, counted row by row; no two are the same.
std::vector<Rank> detect_mesh(std::span<const Rank> nodes, std::span<const Rank> physical_sides);

// What is wrong with a physical mesh for nodes up to this one; nothing if it is right.
std::optional<std::string> defect_of_mesh(std::span<const Rank> physical_sides, Rank last_node);

// {hosts, slots} if the members stand host by host, as many on each; otherwise {p}. `hosts`, by rank: any numbers that
// tell hosts apart.
std::vector<Rank> detect_hosts(std::span<const Rank> hosts);

}  // namespace cohort
