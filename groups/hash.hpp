// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash of a sequence of numbers that is the same on every process.
#pragma once

#include <cstdint>

namespace cohort {

class Hash {
 public:
  Hash& add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0xd6e8feb86659fd93u;
    state_ ^= state_ >> 32;
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
};

}  // namespace cohort
