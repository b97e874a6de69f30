// SPDX-License-Identifier: Apache-2.0
// Sums and products.
#include <algorithm>
#include <complex>

#include "runtime/kernels/float16.hpp"
#include "runtime/kernels/loops.hpp"

namespace cohort::detail {
namespace {

// The textbook formula for a complex product can be vectorised. But it gives NaN where an infinity is involved;
// std::complex then computes again. This kernel does so for a whole piece that holds a NaN.
template <class Part>
struct ComplexProducts {
  using Complex = std::complex<Part>;
  static constexpr std::size_t piece = 64;

  [[gnu::always_inline]] static inline void run(const std::byte* left, const std::byte* right, std::byte* result,
                                                std::size_t count) {
    while (count > 0) {
      const std::size_t length = std::min(count, piece);
      Part products[2 * piece];
      if (multiply(reinterpret_cast<const Part*>(left), reinterpret_cast<const Part*>(right), products, length)) {
        std::memcpy(result, products, length * sizeof(Complex));
      } else {
        Elementwise<Complex, Product>::run(left, right, result, length);
      }
      left += length * sizeof(Complex);
      right += length * sizeof(Complex);
      result += length * sizeof(Complex);
      count -= length;
    }
  }

  // False if there is a NaN among the products.
  [[gnu::always_inline]] static inline bool multiply(const Part* left, const Part* right, Part* products,
                                                     std::size_t count) {
    int nans = 0;
    for (std::size_t i = 0; i < 2 * count; i += 2) {
      const Part real = left[i] * right[i] - left[i + 1] * right[i + 1];
      const Part imaginary = left[i] * right[i + 1] + left[i + 1] * right[i];
      products[i] = real;
      products[i + 1] = imaginary;
      nans |= static_cast<int>(is_nan(real));
    }
    return nans == 0;
  }
};

// Complex numbers are added part by part.
template <class Part>
struct ComplexSums {
  [[gnu::always_inline]] static inline void run(const std::byte* left, const std::byte* right, std::byte* result,
                                                std::size_t count) {
    Elementwise<Part, Sum>::run(left, right, result, 2 * count);
  }
};

}  // namespace

template <class Part>
struct LoopOf<std::complex<Part>, Sum> {
  using Loop = ComplexSums<Part>;
};

template <class Part>
struct LoopOf<std::complex<Part>, Product> {
  using Loop = ComplexProducts<Part>;
};

template struct Kernels<Sum, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, float, double,
                        long double, std::complex<float>, std::complex<double>, std::complex<long double>, float16,
                        bfloat16>;
template struct Kernels<Product, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, float, double,
                        long double, std::complex<float>, std::complex<double>, std::complex<long double>, float16,
                        bfloat16>;

}  // namespace cohort::detail
