// SPDX-License-Identifier: Apache-2.0
// Arguments that are both input and output.
#pragma once

#include <span>
#include <type_traits>

#include "cohort/element.hpp"

namespace cohort {

// What in_place() gives: the elements, of type T.
template <class T>
struct InPlace {
  std::span<T> elements;
};

// The result of a reduction replaces its input: all.combine(in_place(x), sum). In a concat, this rank's block is at its
// place among all blocks already: all.concat(in_place(blocks)). A range or one value.
template <std::ranges::contiguous_range R>
requires std::ranges::borrowed_range<R>
auto in_place(R&& elements) {
  return InPlace<std::remove_reference_t<std::ranges::range_reference_t<R>>>{
      {std::ranges::data(elements), std::ranges::size(elements)}};
}
template <class T>
requires(!std::ranges::range<T>) InPlace<T> in_place(T& value) { return {{&value, 1}}; }

// @cond What does not compile, for the compiler's words.
template <class T>
requires(!std::ranges::borrowed_range<T> && !std::is_lvalue_reference_v<T>) InPlace<int> in_place(T&&) {
  static_assert(detail::always_false<T>, "cohort: in_place() writes its argument. Give a variable");
  return {};
}
// @endcond

}  // namespace cohort
