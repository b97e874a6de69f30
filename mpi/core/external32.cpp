// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/external32.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

static_assert(std::endian::native == std::endian::little);

// A binary128 number's halves, and how the exponent lies in the upper one.
struct Binary128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;  // sign, 15 bits of exponent, 48 bits of fraction
};
constexpr std::uint64_t fraction_of_high = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t whole_bit = std::uint64_t{1} << 63;  // float80 stores the 1 before the point
constexpr std::uint64_t all_exponent = 0x7fff;

Binary128 widened(const std::byte* float80) {
  std::uint64_t mantissa = 0;
  std::uint16_t sign_and_exponent = 0;
  std::memcpy(&mantissa, float80, sizeof mantissa);
  std::memcpy(&sign_and_exponent, float80 + sizeof mantissa, sizeof sign_and_exponent);
  mantissa &= ~whole_bit;
  return {mantissa << 49, std::uint64_t{sign_and_exponent} << 48 | mantissa >> 15};
}

void narrow(const Binary128& number, std::byte* float80) {
  std::uint64_t fraction = (number.high & fraction_of_high) << 15 | number.low >> 49;
  std::uint64_t exponent = number.high >> 48 & all_exponent;
  if (exponent == all_exponent) {
    // A NaN must not become infinite.
    if (fraction == 0 && number.low != 0) fraction = whole_bit >> 1;
  } else {
    fraction += number.low >> 48 & 1;  // rounds
    exponent += fraction >> 63;
    fraction &= ~whole_bit;
  }
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | whole_bit;
  const auto top = static_cast<std::uint16_t>(number.high >> 63 << 15 | exponent);
  std::memset(float80, 0, 16);
  std::memcpy(float80, &mantissa, sizeof mantissa);
  std::memcpy(float80 + sizeof mantissa, &top, sizeof top);
}

// The bytes of a number that its shorter form leaves out must only repeat its sign.
bool fits(External form, const std::byte* number, Count size, Count shorter) {
  const bool negative = form == External::as_signed && (number[shorter - 1] & std::byte{0x80}) != std::byte{};
  const std::byte expected = negative ? std::byte{0xff} : std::byte{};
  return std::all_of(number + shorter, number + size, [expected](std::byte byte) { return byte == expected; });
}

void write(External form, const std::byte* number, Count size, std::byte* external, Count external_size) {
  Binary128 wide;
  if (form == External::from_float80) {
    wide = widened(number);
    number = reinterpret_cast<const std::byte*>(&wide);
  } else if (form != External::same) {
    check(fits(form, number, size, external_size), abi::err_conversion,
          "a value is too large for its type's bytes in external32");
  }
  std::reverse_copy(number, number + external_size, external);
}

void read(External form, const std::byte* external, Count external_size, std::byte* number, Count size) {
  if (form == External::from_float80) {
    Binary128 wide;
    std::reverse_copy(external, external + external_size, reinterpret_cast<std::byte*>(&wide));
    narrow(wide, number);
    return;
  }
  std::reverse_copy(external, external + external_size, number);
  const bool negative = form == External::as_signed && (external[0] & std::byte{0x80}) != std::byte{};
  std::fill(number + external_size, number + size, negative ? std::byte{0xff} : std::byte{});
}

// Walks the signature, and converts values one way or the other.
template <bool writing>
class Conversion {
 public:
  using In = const std::byte*;

  Conversion(In in, std::byte* out) : in_(in), out_(out) {}

  void elements(const Signature& signature, Count number) {
    for (Count i = 0; i < number; ++i) {
      for (const Signature::Run& run : signature.runs) {
        if (run.value == nullptr) {
          elements(*run.of, run.number);
        } else {
          values(*run.value, run.number);
        }
      }
    }
  }

 private:
  void values(const Value& value, Count number) {
    if (value.is_pair()) {
      for (Count i = 0; i < number; ++i) {
        for (const Value* half : value.halves) values(*half, 1);
      }
      return;
    }
    const Count size = value.size / value.numbers;
    const Count external_size = value.external_size / value.numbers;
    for (Count i = 0; i < number * value.numbers; ++i) {
      if constexpr (writing) {
        write(value.external, in_, size, out_, external_size);
      } else {
        read(value.external, in_, external_size, out_, size);
      }
      in_ += writing ? size : external_size;
      out_ += writing ? external_size : size;
    }
  }

  In in_;
  std::byte* out_;
};

}  // namespace

void to_external(const Signature& signature, Count elements, const std::byte* packed, std::byte* external) {
  Conversion<true>(packed, external).elements(signature, elements);
}

void from_external(const Signature& signature, Count elements, const std::byte* external, std::byte* packed) {
  Conversion<false>(external, packed).elements(signature, elements);
}

}  // namespace cohort::mpi
