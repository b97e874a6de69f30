// SPDX-License-Identifier: Apache-2.0
// Reduction operators: the built-in ones, and how to declare your own.
//
// An operator is associative. One that commutes may be applied in any order of the ranks. For the others the order of
// the ranks is kept: rank 0 (+) rank 1 (+) ... (+) rank p-1.
//
// Integers wrap around. The minimum and the maximum of a NaN and anything are NaN, so that every process gets the same
// result in any order. Of zeros of both signs the result may be either.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cohort/float16.hpp"
#include "cohort/types.hpp"

namespace cohort {

namespace detail {

// Adds and multiplies integers as unsigned ones, at least as wide as `unsigned`: then no overflow is undefined.
template <class T>
constexpr auto wrapping(const T& value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return static_cast<std::common_type_t<std::make_unsigned_t<T>, unsigned>>(value);
  } else {
    return value;
  }
}

template <class T>
constexpr bool is_nan(const T& value) {
  if constexpr (std::floating_point<T> || std::same_as<T, float16> || std::same_as<T, bfloat16>) {
    return value != value;
  } else {
    return false;
  }
}

// 0 or 1, for bit operators: loops over && and || are full of branches.
template <class T>
constexpr int truth(const T& value) {
  return value != T{} ? 1 : 0;
}

}  // namespace detail

// a + b.
struct Sum {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(detail::wrapping(a) + detail::wrapping(b));
  }
};

// a * b.
struct Product {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(detail::wrapping(a) * detail::wrapping(b));
  }
};

// The smaller one; NaN if one is.
struct Minimum {
  static constexpr bool commutative = true;
  template <std::totally_ordered T>
  constexpr T operator()(const T& a, const T& b) const {
    const T& lower = a <= b ? a : b;  // b if b is a NaN
    return detail::is_nan(a) ? a : lower;
  }
};

// The larger one; NaN if one is.
struct Maximum {
  static constexpr bool commutative = true;
  template <std::totally_ordered T>
  constexpr T operator()(const T& a, const T& b) const {
    const T& higher = a >= b ? a : b;
    return detail::is_nan(a) ? a : higher;
  }
};

// A value and where it was found, for minimum_at and maximum_at.
template <class T>
struct Located {
  T value;
  std::int64_t location;
  friend bool operator==(const Located&, const Located&) = default;
};

// The smallest value; of equal ones, and of NaNs, the one with the lowest location.
struct MinimumAt {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (detail::is_nan(a.value) != detail::is_nan(b.value)) return detail::is_nan(a.value) ? a : b;
    if (a.value < b.value) return a;
    if (b.value < a.value) return b;
    return a.location <= b.location ? a : b;
  }
};

// The largest value; of equal ones, and of NaNs, the one with the lowest location.
struct MaximumAt {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (detail::is_nan(a.value) != detail::is_nan(b.value)) return detail::is_nan(a.value) ? a : b;
    if (b.value < a.value) return a;
    if (a.value < b.value) return b;
    return a.location <= b.location ? a : b;
  }
};

// a & b, of integers.
struct BitAnd {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a & b);
  }
};

// a | b, of integers.
struct BitOr {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a | b);
  }
};

// a ^ b, of integers.
struct BitXor {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a ^ b);
  }
};

// 1 if both differ from 0, otherwise 0.
struct LogicalAnd {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(detail::truth(a) & detail::truth(b));
  }
};

// 1 if one differs from 0, otherwise 0.
struct LogicalOr {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(detail::truth(a) | detail::truth(b));
  }
};

// 1 if exactly one differs from 0, otherwise 0.
struct LogicalXor {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(detail::truth(a) ^ detail::truth(b));
  }
};

// The operators, as calls take them: all.combine(x, y, cohort::sum).
inline constexpr Sum sum{};
inline constexpr Product product{};
inline constexpr Minimum minimum{};
inline constexpr Maximum maximum{};
inline constexpr MinimumAt minimum_at{};
inline constexpr MaximumAt maximum_at{};
inline constexpr BitAnd bit_and{};
inline constexpr BitOr bit_or{};
inline constexpr BitXor bit_xor{};
inline constexpr LogicalAnd logical_and{};
inline constexpr LogicalOr logical_or{};
inline constexpr LogicalXor logical_xor{};

// A callable T(T, T) with its commutativity declared.
template <class Function, bool Commutes>
struct UserOperator {
  static constexpr bool commutative = Commutes;
  Function function;
  template <class T>
  requires std::is_invocable_r_v<T, const Function&, const T&, const T&> T operator()(const T& a, const T& b) const {
    return function(a, b);
  }
};

// all.combine(x, y, cohort::commutative([](Max3 a, Max3 b) { ... }));
template <class Function>
UserOperator<Function, true> commutative(Function function) {
  return {std::move(function)};
}

// The same for an operator whose operands must stay in the order of the ranks.
template <class Function>
UserOperator<Function, false> ordered(Function function) {
  return {std::move(function)};
}

// Makes one T of two, and says whether they may be swapped.
template <class Operator, class T>
concept ReductionOperator = requires(const Operator& operation, const T& a, const T& b) {
  { Operator::commutative } -> std::convertible_to<bool>;
  { operation(a, b) } -> std::convertible_to<T>;
};

}  // namespace cohort
