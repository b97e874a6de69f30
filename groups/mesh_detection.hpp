// SPDX-License-Identifier: Apache-2.0
// The shape of a group on its hosts or its physical mesh, so that collectives can go dimension by dimension. A group
// without a shape is a line.
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
// physical mesh, counted row by row; all different.
std::vector<Rank> detect_mesh(std::span<const Rank> nodes, std::span<const Rank> physical_sides);

// The mistake in a physical mesh for nodes up to this one, or nothing.
std::optional<std::string> defect_of_mesh(std::span<const Rank> physical_sides, Rank last_node);

// {hosts, slots} if the members stand host by host, as many on each; otherwise {p}. `hosts`, by rank: a number for each
// host.
std::vector<Rank> detect_hosts(std::span<const Rank> hosts);

}  // namespace cohort
