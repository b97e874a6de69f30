// SPDX-License-Identifier: Apache-2.0
// Rank arithmetic that many algorithms share.
#pragma once

#include <bit>

#include "cohort/types.hpp"

namespace cohort {

// Ceiling of the base-2 logarithm: the fewest rounds that reach p ranks. 0 for p = 1.
inline int ceil_log2(Rank p) { return p <= 1 ? 0 : std::bit_width(static_cast<std::uint32_t>(p - 1)); }

// Floor of the base-2 logarithm of n >= 1.
inline int floor_log2(std::int64_t n) { return std::bit_width(static_cast<std::uint64_t>(n)) - 1; }

inline Rank modulo(std::int64_t value, Rank p) {
  // In most calls `value` is outside the range by less than p, which needs no division.
  if (value >= p) value -= p;
  if (value < -p || value >= p) value %= p;
  return static_cast<Rank>(value < 0 ? value + p : value);
}

// Positions of the ranks from the root: the root has position 0, the others follow in cyclic order.
struct RootedOrder {
  Rank ranks;
  Rank root;

  Rank position_of(Rank rank) const { return modulo(std::int64_t{rank} - root, ranks); }
  Rank rank_at(Rank position) const { return modulo(std::int64_t{position} + root, ranks); }
};

}  // namespace cohort
