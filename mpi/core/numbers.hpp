// SPDX-License-Identifier: Apache-2.0
// Arguments of MPI that come in two widths: int in the functions of MPI 1 to 3, MPI_Count in those with _c.
#pragma once

#include <climits>
#include <cstdint>

#include "cohort/types.hpp"

namespace cohort::mpi {

using Aint = std::int64_t;  // an address, or a distance in bytes

// An array of numbers that the program has passed, as Counts.
class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(const std::int32_t* narrow) : narrow_(narrow) {}
  explicit Numbers(const std::int64_t* wide) : wide_(wide) {}

  explicit operator bool() const { return narrow_ != nullptr || wide_ != nullptr; }
  bool is_wide() const { return wide_ != nullptr; }
  Count operator[](std::size_t i) const { return wide_ != nullptr ? wide_[i] : narrow_[i]; }

 private:
  const std::int32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
};

// The addresses with a meaning of their own, as the core sees them; each face maps its own to these.
inline void* const in_place = reinterpret_cast<void*>(1);
inline int* const unweighted = reinterpret_cast<int*>(10);
inline int* const weights_empty = reinterpret_cast<int*>(11);
// MPI_BOTTOM is the null pointer.

// Of a dimension of a distributed array: MPI_DISTRIBUTE_DFLT_DARG.
inline constexpr int default_argument = INT_MIN;

}  // namespace cohort::mpi
