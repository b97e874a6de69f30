// SPDX-License-Identifier: Apache-2.0
// Parts of different sizes, one for each rank of a group, one behind another.
#pragma once

#include <span>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

template <class T>
struct Parts {
  std::vector<T> elements;    // of all parts
  std::vector<Count> begins;  // part r is elements[begins[r]] to elements[begins[r + 1] - 1]; empty without parts

  Rank size() const { return begins.empty() ? 0 : static_cast<Rank>(begins.size() - 1); }
  Count count(Rank rank) const { return begins[index(rank) + 1] - begins[index(rank)]; }

  std::span<T> operator[](Rank rank) { return part(elements, rank); }
  std::span<const T> operator[](Rank rank) const { return part(elements, rank); }

  // Room for parts of these sizes.
  template <class Counts>
  static Parts with_counts(const Counts& counts) {
    Parts parts;
    parts.begins.push_back(0);
    for (const auto count : counts) parts.begins.push_back(parts.begins.back() + static_cast<Count>(count));
    parts.elements.resize(static_cast<std::size_t>(parts.begins.back()));
    return parts;
  }

 private:
  static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }
  template <class All>
  auto part(All& all, Rank rank) const {
    return std::span(all).subspan(static_cast<std::size_t>(begins[index(rank)]), static_cast<std::size_t>(count(rank)));
  }
};

}  // namespace cohort
