// SPDX-License-Identifier: Apache-2.0
// require(): a bug of our own ends the program with a message, in every build.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cohort {

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "cohort: internal error: %s. This is a bug of Cohort; please report it.\n", what);
  std::abort();
}

}  // namespace cohort
