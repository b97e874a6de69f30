// SPDX-License-Identifier: Apache-2.0
// A binary tree over nodes 1 ... n. Every node stands between its left and its right subtree, so subtrees are ranges of
// nodes. It is as complete as n allows: a node's height is the number of its trailing binary zeros, the root is the
// largest power of two, and the subtree to the left of a node is always complete.
// Source: Sanders, Speck and Traeff 2009, section 3 (T1).
#pragma once

#include <algorithm>
#include <bit>

#include "cohort/types.hpp"

namespace cohort {

struct InOrderTree {
  Rank nodes;

  static constexpr Rank none = 0;

  // The number of trailing binary zeros of i. This is the height of i, unless its right subtree is cut short.
  static int height(Rank i) { return std::countr_zero(static_cast<std::uint32_t>(i)); }
  static bool is_leaf(Rank i) { return i % 2 != 0; }

  Rank root() const { return largest_power(nodes); }
  static Rank left(Rank i) { return is_leaf(i) ? none : i - (Rank{1} << height(i)) / 2; }
  Rank right(Rank i) const { return is_leaf(i) ? none : right_of(i); }

  // The child of `i` towards `node`, which lies below it.
  Rank towards(Rank i, Rank node) const { return node < i ? left(i) : right(i); }

 private:
  static Rank largest_power(Rank n) {
    return n == 0 ? none : static_cast<Rank>(std::bit_floor(static_cast<std::uint32_t>(n)));
  }
  Rank right_of(Rank i) const {
    const Rank below = std::min((Rank{1} << height(i)) - 1, nodes - i);
    return below == 0 ? none : i + largest_power(below);
  }
};

}  // namespace cohort
