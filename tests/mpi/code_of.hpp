// SPDX-License-Identifier: Apache-2.0
// For tests of how functions of the core fail.
#pragma once

#include <functional>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

// The error class with which a call fails, or abi::success.
inline int code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Mistake& mistake) {
    return mistake.code();
  }
  return abi::success;
}

}  // namespace cohort::mpi
