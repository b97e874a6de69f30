// SPDX-License-Identifier: Apache-2.0
// Parts of different sizes, one for each rank of a group, one behind another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// A place among the parts: *place is the span of one part's elements.
template <class T>
class PartPlace {
 public:
  using value_type = std::span<T>;
  using difference_type = std::ptrdiff_t;

  PartPlace() = default;
  PartPlace(T* elements, const Count* begin) : elements_(elements), begin_(begin) {}

  std::span<T> operator*() const { return {elements_ + begin_[0], static_cast<std::size_t>(begin_[1] - begin_[0])}; }
  PartPlace& operator++() {
    ++begin_;
    return *this;
  }
  PartPlace operator++(int) {
    const PartPlace before = *this;
    ++begin_;
    return before;
  }
  friend bool operator==(const PartPlace&, const PartPlace&) = default;

 private:
  T* elements_ = nullptr;
  const Count* begin_ = nullptr;
};

// A range of spans, one for each rank: for (std::span<const int> part : parts), or parts[rank].
template <class T>
struct Parts {
  std::vector<T> elements;    // of all parts
  std::vector<Count> begins;  // part r is elements[begins[r]] to elements[begins[r + 1] - 1]; empty without parts

  Rank size() const { return begins.empty() ? 0 : static_cast<Rank>(begins.size() - 1); }
  Count count(Rank rank) const { return begins[index(rank) + 1] - begins[index(rank)]; }

  std::span<T> operator[](Rank rank) { return *place<T>(elements, rank); }
  std::span<const T> operator[](Rank rank) const { return *place<const T>(elements, rank); }

  auto begin() { return place<T>(elements, 0); }
  auto end() { return place<T>(elements, size()); }
  auto begin() const { return place<const T>(elements, 0); }
  auto end() const { return place<const T>(elements, size()); }

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
  template <class Element, class All>
  PartPlace<Element> place(All& all, Rank rank) const {
    return {all.data(), begins.data() + rank};
  }
};

}  // namespace cohort
