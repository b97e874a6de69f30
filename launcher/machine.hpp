// The machine that a host is on. Containers and network namespaces are hosts to one another, and share its processors.
#pragma once

#include <string>

namespace cohort {

struct Machine {
  std::string boot;  // the id of the system's start; empty if it is not known
  int processors = 0;

  bool is(const Machine& other) const { return !boot.empty() && boot == other.boot; }
};

Machine this_machine();

}  // namespace cohort
