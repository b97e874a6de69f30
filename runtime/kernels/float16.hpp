// SPDX-License-Identifier: Apache-2.0
// Kernels for float16, on processors with AVX2 and F16C, which convert eight of them at once. The portable loop does it
// by integer operations, at a tenth of the speed. (Those of bfloat16 are cheap: eight at once are no faster.)
#pragma once

#include "runtime/kernels/loops.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>

namespace cohort::detail {

// What the operator does to each of eight floats.
template <class Operator>
[[gnu::target("avx2,f16c"), gnu::always_inline]] inline __m256 of_eight(__m256 a, __m256 b) {
  if constexpr (std::same_as<Operator, Sum>) {
    return a + b;
  } else if constexpr (std::same_as<Operator, Product>) {
    return a * b;
  } else {
    // The instructions give their second operand, here `a`, if one is a NaN.
    const __m256 found = std::same_as<Operator, Minimum> ? _mm256_min_ps(b, a) : _mm256_max_ps(b, a);
    return _mm256_blendv_ps(found, b, _mm256_cmp_ps(b, b, _CMP_UNORD_Q));
  }
}

template <class Operator>
[[gnu::target("avx2,f16c")]] void with_f16c(const void*, const std::byte* left, const std::byte* right,
                                            std::byte* result, std::size_t count) {
  constexpr std::size_t step = 8 * sizeof(float16);
  const std::size_t bytes = count * sizeof(float16);
  std::size_t done = 0;
  for (; bytes - done >= step; done += step) {
    const __m256 a = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(left + done)));
    const __m256 b = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(right + done)));
    const __m128i halves = _mm256_cvtps_ph(of_eight<Operator>(a, b), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result + done), halves);
  }
  Elementwise<float16, Operator>::run(left + done, right + done, result + done, (bytes - done) / sizeof(float16));
}

// Clang 14 can't ask for it by name. AVX2 says that the system keeps the registers, too.
inline bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

template <class Operator>
struct LoopOf<float16, Operator> {
  struct Loop : Elementwise<float16, Operator> {
    static Kernel best() { return has_f16c() ? with_f16c<Operator> : portable<Elementwise<float16, Operator>>; }
  };
};

}  // namespace cohort::detail
#endif
