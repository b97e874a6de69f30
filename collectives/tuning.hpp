// SPDX-License-Identifier: Apache-2.0
// A job's networks and the choices that its user has made. The launcher tells every process, so all but within_host is
// the same on every rank.
#pragma once

#include <vector>

#include "collectives/network.hpp"
#include "collectives/registry.hpp"

namespace cohort {

struct Tuning {
  Network within_host;          // for groups whose members are all on one host: the same on all ranks there
  Network within_hosts;         // within each host of a group that spans several: the same on all ranks of the job
  Network between_hosts;        // for groups that span several hosts
  std::vector<Choice> choices;  // overrides: at most one for each operation

  const Choice* choice(Operation operation) const {
    for (const Choice& choice : choices) {
      if (choice.algorithm->operation == operation) return &choice;
    }
    return nullptr;
  }
};

}  // namespace cohort
