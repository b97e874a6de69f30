// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of 16 bits, as elements. Computing with them means computing with floats: each result is
// rounded to the nearest, ties to even. The built-in reductions round after each operation, as for other types.
#pragma once

#include <bit>
#include <cstdint>

namespace cohort {

namespace detail {

constexpr std::uint32_t sign_bit = 0x80000000, float_infinity = 0x7f800000, quiet_bit = 0x00400000;

// The upper half of a float.
constexpr std::uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  const bool nan = (bits & ~sign_bit) > float_infinity;
  return static_cast<std::uint16_t>((nan ? bits | quiet_bit : rounded) >> 16);
}

// IEEE 754's binary16: 5 bits of exponent, 10 of fraction.
constexpr std::uint16_t float16_bits(float value) {
  constexpr std::uint32_t first_infinite = 0x477ff000;  // 65520 and more are rounded to infinity
  constexpr std::uint32_t first_normal = 0x38800000;    // 2^-14
  constexpr std::uint32_t other_bias = (127 - 15) << 23;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t size = bits & ~sign_bit;
  const std::uint32_t normal = (size - other_bias + 0xfff + ((size >> 13) & 1)) >> 13;
  // A float from 0.5 to 1 has its last bit where the smallest float16 is: the addition rounds.
  const std::uint32_t tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000;
  const std::uint32_t special = size > float_infinity ? 0x7e00 : 0x7c00;
  const std::uint32_t finite = size < first_normal ? tiny : normal;
  return static_cast<std::uint16_t>((size >= first_infinite ? special : finite) | (bits & sign_bit) >> 16);
}

constexpr float float_of_float16(std::uint16_t half) {
  constexpr float to_bias = 0x1p112f;  // 2^(127 - 15)
  const std::uint32_t size = static_cast<std::uint32_t>(half & 0x7fff) << 13;
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) * to_bias);
  const std::uint32_t value = size >= 0x0f800000 ? size | float_infinity : finite;
  return std::bit_cast<float>(value | static_cast<std::uint32_t>(half & 0x8000) << 16);
}

}  // namespace detail

// 8 bits of exponent, 7 of fraction: the range of a float.
struct bfloat16 {
  bfloat16() = default;
  constexpr bfloat16(float value) : bits(detail::bfloat16_bits(value)) {}
  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

  std::uint16_t bits;
};

// IEEE 754's binary16: 5 bits of exponent, 10 of fraction; up to 65504.
struct float16 {
  float16() = default;
  constexpr float16(float value) : bits(detail::float16_bits(value)) {}
  constexpr operator float() const { return detail::float_of_float16(bits); }

  std::uint16_t bits;
};

}  // namespace cohort
