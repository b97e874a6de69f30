// What the user asked for can't be done: one line on standard error, exit status 2.
#pragma once

#include <stdexcept>

namespace cohort {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cohort
