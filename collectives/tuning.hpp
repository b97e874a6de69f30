// What a job knows of its network, and what its user wants chosen: the same on every rank, because the launcher tells
// it to all.
#pragma once

#include <vector>

#include "collectives/network.hpp"
#include "collectives/registry.hpp"

namespace cohort {

struct Tuning {
  Network within_host;          // for groups whose members are all on one host
  Network between_hosts;        // for all others
  std::vector<Choice> choices;  // overrides: at most one for each operation

  const Choice* choice(Operation operation) const {
    for (const Choice& choice : choices) {
      if (choice.algorithm->operation == operation) return &choice;
    }
    return nullptr;
  }
};

}  // namespace cohort
