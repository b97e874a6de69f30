// Reduction operators: the built-in ones, and how to declare your own.
//
// An operator is associative. One that commutes may be applied in any order of the ranks; for the others the order of
// the ranks is kept: rank 0 (+) rank 1 (+) ... (+) rank p-1.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "cohort/types.hpp"

namespace cohort {

struct Sum {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct Product {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a * b);
  }
};

struct Minimum {
  static constexpr bool commutative = true;
  template <std::totally_ordered T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct Maximum {
  static constexpr bool commutative = true;
  template <std::totally_ordered T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// A value and where it was found, for minimum_at and maximum_at.
template <class T>
struct Located {
  T value;
  std::int64_t location;
  friend bool operator==(const Located&, const Located&) = default;
};

// The smallest (largest) value; of equal ones the one with the lowest location.
struct MinimumAt {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (a.value < b.value) return a;
    if (b.value < a.value) return b;
    return a.location <= b.location ? a : b;
  }
};

struct MaximumAt {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (b.value < a.value) return a;
    if (a.value < b.value) return b;
    return a.location <= b.location ? a : b;
  }
};

struct BitAnd {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a & b);
  }
};

struct BitOr {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a | b);
  }
};

struct BitXor {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a ^ b);
  }
};

struct LogicalAnd {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a != T{} && b != T{});
  }
};

struct LogicalOr {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a != T{} || b != T{});
  }
};

struct LogicalXor {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>((a != T{}) != (b != T{}));
  }
};

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
  T operator()(const T& a, const T& b) const {
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

template <class Operator, class T>
concept ReductionOperator = requires(const Operator& operation, const T& a, const T& b) {
  { Operator::commutative } -> std::convertible_to<bool>;
  { operation(a, b) } -> std::convertible_to<T>;
};

namespace detail {

// An operator on elements of one type, as the engine sees it: on bytes.
struct Reduction {
  // result[i] = left[i] (+) right[i]; result may be left or right itself.
  using Apply = void (*)(const void* operation, const std::byte* left, const std::byte* right, std::byte* result,
                         std::size_t count);
  Apply apply = nullptr;
  std::shared_ptr<const void> operation;  // the callable, where it has state
  bool commutative = true;
};

template <class T, ReductionOperator<T> Operator>
Reduction erase(Operator operation) {
  constexpr bool stateless = std::is_empty_v<Operator> && std::is_default_constructible_v<Operator>;
  Reduction reduction;
  reduction.commutative = Operator::commutative;
  if constexpr (!stateless) reduction.operation = std::make_shared<const Operator>(std::move(operation));
  reduction.apply = [](const void* stored, const std::byte* left, const std::byte* right, std::byte* result,
                       std::size_t count) {
    const auto* a = reinterpret_cast<const T*>(left);
    const auto* b = reinterpret_cast<const T*>(right);
    auto* c = reinterpret_cast<T*>(result);
    const auto apply_all = [&](const Operator& call) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
      for (std::size_t i = 0; i < count; ++i) c[i] = call(a[i], b[i]);
    };
    if constexpr (stateless) {
      static_cast<void>(stored);
      apply_all(Operator{});
    } else {
      apply_all(*static_cast<const Operator*>(stored));
    }
  };
  return reduction;
}

}  // namespace detail
}  // namespace cohort
