// SPDX-License-Identifier: Apache-2.0
// The machine that a host runs on. Containers and network namespaces on one machine are different hosts that share its
// processors.
#pragma once

#include <span>
#include <string>

namespace cohort {

struct Machine {
  std::string boot;  // the id of the system's boot; empty if it is not known
  int processors = 0;
  int cores = 0;      // cores that the host may use
  std::string limit;  // affinity and quota that limit the cores; hosts with the same limit share these cores

  bool is(const Machine& other) const { return !boot.empty() && boot == other.boot; }
};

Machine this_machine();

// The cores of all these hosts if they are one machine; otherwise 0.
int cores_in_common(std::span<const Machine> hosts);

}  // namespace cohort
