// SPDX-License-Identifier: Apache-2.0
// The library's kernels for reductions: built-in operators on arithmetic types. They run at the speed of memory, with
// the vector instructions of this processor, however the program itself is compiled.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cohort/detail/type_name.hpp"
#include "cohort/operators.hpp"

namespace cohort::detail {

// result[i] = left[i] (+) right[i]. The result may be left or right itself; otherwise nothing overlaps. `operation` is
// the callable, if it has state.
using Kernel = void (*)(const void* operation, const std::byte* left, const std::byte* right, std::byte* result,
                        std::size_t count);

template <class T, class... Types>
concept OneOf = (std::same_as<T, Types> || ...);

template <class T>
concept Floating = OneOf<T, float, double, long double>;

// std::complex of one of them.
template <class T>
concept Complex = standard_template<T>()
== "complex" && Floating<typename T::value_type>;

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

template <class T>
concept Arithmetic = Integer<T> || Floating<T> || std::same_as<T, bool>;

// One integer type stands for all integer types of its size; an unsigned one, if the sign does not matter.
template <std::size_t bytes>
using Word = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
struct Alike {
  using Unordered = T;
  using Ordered = T;
};
template <Integer T>
struct Alike<T> {
  using Unordered = Word<sizeof(T)>;
  using Ordered = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Unordered>, Unordered>;
};

// The library's kernel for elements of type T: void if there is none.
template <class T, class Operator>
struct InLibrary {
  using Element = void;
};
template <Arithmetic T, OneOf<Sum, Product, LogicalAnd, LogicalOr, LogicalXor> Operator>
struct InLibrary<T, Operator> {
  using Element = typename Alike<T>::Unordered;
};
template <Arithmetic T, OneOf<Minimum, Maximum> Operator>
struct InLibrary<T, Operator> {
  using Element = typename Alike<T>::Ordered;
};
template <OneOf<float16, bfloat16> T, OneOf<Sum, Product, Minimum, Maximum> Operator>
struct InLibrary<T, Operator> {
  using Element = T;
};
template <Arithmetic T, OneOf<BitAnd, BitOr, BitXor> Operator>
requires std::integral<T>
struct InLibrary<T, Operator> {
  using Element = typename Alike<T>::Unordered;
};
template <Complex T, OneOf<Sum, Product> Operator>
struct InLibrary<T, Operator> {
  using Element = T;
};
template <Arithmetic T, OneOf<MinimumAt, MaximumAt> Operator>
struct InLibrary<Located<T>, Operator> {
  using Element = Located<typename Alike<T>::Ordered>;
};

// The kernel of an element type and operator that InLibrary names, for this processor.
template <class Element, class Operator>
Kernel library_kernel();

}  // namespace cohort::detail
