// SPDX-License-Identifier: Apache-2.0
// The user's request can't be carried out. The command prints one line on standard error and exits with status 2.
#pragma once

#include <stdexcept>

namespace cohort {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cohort
