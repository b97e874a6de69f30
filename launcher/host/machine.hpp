// The machine that a host runs on. Containers and network namespaces on one machine are different hosts that share its
// processors.
#pragma once

#include <span>
#include <string>

namespace cohort {

struct Machine {
  std::string boot;  // the id of the system's start; empty if it is not known
  int processors = 0;
  int cores = 0;      // that the host may use of them
  std::string limit;  // why not more: hosts with the same one share these cores

  bool is(const Machine& other) const { return !boot.empty() && boot == other.boot; }
};

Machine this_machine();

// The cores of all these hosts if they are one machine; otherwise 0.
int cores_in_common(std::span<const Machine> hosts);

}  // namespace cohort
