// SPDX-License-Identifier: Apache-2.0
// Every collective operation, checked on one group: the same checks run over each transport in one process, and on real
// hosts. A failed check is a GoogleTest failure on the rank that saw it.
#pragma once

#include <span>

#include "cohort/cohort.hpp"

namespace cohort::testing {

struct CollectiveCheck {
  const char* name;
  void (*run)(const Group& all);  // called by every member
};

std::span<const CollectiveCheck> collective_checks();

}  // namespace cohort::testing
