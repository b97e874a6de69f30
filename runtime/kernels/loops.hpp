// SPDX-License-Identifier: Apache-2.0
// How a kernel is made: one loop over bytes is compiled for the processors that the build targets, and again for
// processors with AVX2, which handle 256 bits at a time. (Beyond a core's own caches AVX-512 is no faster: memory is
// the limit.)
//
// Integers are loaded and stored by memcpy, which costs nothing, because the program's integer type may be another one
// than the kernel's. For types in x87 registers, memcpy would be expensive with GCC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cohort/detail/kernels.hpp"

namespace cohort::detail {

template <class T>
T load(const std::byte* from) {
  if constexpr (Integer<T>) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  } else {
    return *reinterpret_cast<const T*>(from);
  }
}

template <class T>
void store(T value, std::byte* to) {
  if constexpr (Integer<T>) {
    std::memcpy(to, &value, sizeof value);
  } else {
    *reinterpret_cast<T*>(to) = value;
  }
}

template <class T, class Operator>
struct Elementwise {
  [[gnu::always_inline]] static inline void run(const std::byte* left, const std::byte* right, std::byte* result,
                                                std::size_t count) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count * sizeof(T); i += sizeof(T)) {
      store<T>(Operator{}(load<T>(left + i), load<T>(right + i)), result + i);
    }
  }
};

template <class Loop>
void portable(const void*, const std::byte* left, const std::byte* right, std::byte* result, std::size_t count) {
  Loop::run(left, right, result, count);
}

#if defined(__x86_64__) && defined(__GNUC__)
template <class Loop>
[[gnu::target("avx2")]] void with_avx2(const void*, const std::byte* left, const std::byte* right, std::byte* result,
                                       std::size_t count) {
  Loop::run(left, right, result, count);
}

template <class Loop>
Kernel best_of() {
  return __builtin_cpu_supports("avx2") ? with_avx2<Loop> : portable<Loop>;
}
#else
template <class Loop>
Kernel best_of() {
  return portable<Loop>;
}
#endif

// The loop of an element type and operator.
template <class Element, class Operator>
struct LoopOf {
  using Loop = Elementwise<Element, Operator>;
};

// A bool is a byte that is 0 or 1.
template <OneOf<Sum, Maximum, LogicalOr, BitOr> Operator>
struct LoopOf<bool, Operator> {
  using Loop = Elementwise<std::uint8_t, BitOr>;
};
template <OneOf<Product, Minimum, LogicalAnd, BitAnd> Operator>
struct LoopOf<bool, Operator> {
  using Loop = Elementwise<std::uint8_t, BitAnd>;
};
template <OneOf<LogicalXor, BitXor> Operator>
struct LoopOf<bool, Operator> {
  using Loop = Elementwise<std::uint8_t, BitXor>;
};

template <class Element, class Operator>
Kernel library_kernel() {
  using Loop = typename LoopOf<Element, Operator>::Loop;
  if constexpr (requires { Loop::best(); }) {
    return Loop::best();
  } else {
    return best_of<Loop>();
  }
}

// `template struct Kernels<Sum, float, double>;` puts these kernels into the library.
template <class Operator, class... Elements>
struct Kernels {
  static constexpr Kernel (*all[])() = {library_kernel<Elements, Operator>...};
};

}  // namespace cohort::detail
