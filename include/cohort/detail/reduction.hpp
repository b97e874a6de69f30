// SPDX-License-Identifier: Apache-2.0
// An operator on elements of one type, as the engine applies it: to bytes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cohort/detail/elements.hpp"
#include "cohort/detail/kernels.hpp"
#include "cohort/detail/shared.hpp"

namespace cohort::detail {

struct Reduction {
  Kernel apply = nullptr;
  Shared<const void> operation;  // the callable, if it has state
  bool commutative = true;
  Code code = 0;  // of the operator
};

// Loops over pieces of a constant length, because GCC at -O2 vectorises only such loops. Clang gets no pragma:
// it would warn of each operator that it can't vectorise.
template <class T, class Operator>
void apply_to_all(const Operator& call, const T* left, const T* right, T* result, std::size_t count) {
  constexpr std::size_t piece = 64;
  std::size_t done = 0;
  for (; count - done >= piece; done += piece) {
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < piece; ++i) result[done + i] = call(left[done + i], right[done + i]);
  }
  for (; done < count; ++done) result[done] = call(left[done], right[done]);
}

template <class T, ReductionOperator<T> Operator>
Reduction erase(Operator operation) {
  Reduction reduction;
  reduction.commutative = Operator::commutative;
  reduction.code = code_of_operator<Operator>();
  using Element = typename InLibrary<T, Operator>::Element;
  if constexpr (!std::is_void_v<Element>) {
    reduction.apply = library_kernel<Element, Operator>();
  } else {
    constexpr bool stateless = std::is_empty_v<Operator> && std::is_default_constructible_v<Operator>;
    if constexpr (!stateless) reduction.operation = share(new Operator(std::move(operation)));
    reduction.apply = [](const void* stored, const std::byte* left, const std::byte* right, std::byte* result,
                         std::size_t count) {
      const auto* a = reinterpret_cast<const T*>(left);
      const auto* b = reinterpret_cast<const T*>(right);
      auto* c = reinterpret_cast<T*>(result);
      if constexpr (stateless) {
        apply_to_all(Operator{}, a, b, c, count);
      } else {
        apply_to_all(*static_cast<const Operator*>(stored), a, b, c, count);
      }
    };
  }
  return reduction;
}

}  // namespace cohort::detail
