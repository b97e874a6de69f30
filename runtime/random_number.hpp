// SPDX-License-Identifier: Apache-2.0
// A number that nobody can guess, and no other process has drawn.
#pragma once

#include <cstdint>
#include <random>

namespace cohort {

inline std::uint64_t random_number() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace cohort
