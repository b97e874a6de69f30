// SPDX-License-Identifier: Apache-2.0
// 16-bit floats: their rounding, and their reductions.
#include "cohort/float16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

template <class T>
T from_bits(std::uint32_t bits) {
  T value;
  value.bits = static_cast<std::uint16_t>(bits);
  return value;
}

template <class T>
class Float16 : public ::testing::Test {};
using Types = ::testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Float16, Types, );

TYPED_TEST(Float16, EveryNumberComesBackFromAFloat) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto number = from_bits<TypeParam>(bits);
    const TypeParam again = static_cast<float>(number);
    if (number == number) {
      ASSERT_EQ(again.bits, bits);
    } else {
      ASSERT_NE(again, again);
    }
  }
}

// No other number is nearer, and of two that are as near it is the one whose last bit is 0.
TYPED_TEST(Float16, AFloatIsRoundedToTheNearest) {
  std::mt19937 random(7);
  const double most = static_cast<float>(from_bits<TypeParam>(std::is_same_v<TypeParam, float16> ? 0x7bff : 0x7f7f));
  for (int i = 0; i < 2'000'000; ++i) {
    // Of all sizes that matter, and now and then just between two numbers.
    const double exact =
        std::ldexp(1 + static_cast<double>(random() % 4096) / 4096, static_cast<int>(random() % 46) - 28);
    const auto value = static_cast<float>(random() % 2 == 0 ? exact : -exact);
    const TypeParam rounded = value;
    if (std::abs(value) >= most) continue;
    const double error = std::abs(static_cast<double>(value) - rounded);
    for (const int step : {-1, 1}) {
      if ((rounded.bits & 0x7fff) == 0 && step < 0) continue;
      const double other = std::abs(static_cast<double>(value) - from_bits<TypeParam>(rounded.bits + step));
      ASSERT_LE(error, other) << value;
      if (error == other) {
        ASSERT_EQ(rounded.bits % 2, 0) << value;
      }
    }
  }
}

TYPED_TEST(Float16, LargeNumbersBecomeInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(static_cast<float>(TypeParam(infinity)), infinity);
  EXPECT_EQ(static_cast<float>(TypeParam(-std::numeric_limits<float>::max())), -infinity);
  EXPECT_EQ(static_cast<float>(float16(65519.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(float16(65520.0f)), infinity);
  const TypeParam nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(nan, nan);
}

// Each of the 65,536 numbers with several others. The kernels convert them in another way than the operators, and must
// give the same bits. (Of zeros of both signs an extreme may be either.)
TYPED_TEST(Float16, KernelsDoWhatTheOperatorSays) {
  std::vector<TypeParam> left, right;
  for (const std::uint32_t factor : {1, 0, 7, 40503, 60493, 65521}) {
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
      left.push_back(from_bits<TypeParam>(bits));
      right.push_back(from_bits<TypeParam>(bits * factor));
    }
  }
  left.resize(left.size() - 3), right.resize(left.size());  // the kernels have a rest that does not fill a register
  const auto expect = [&](auto operation) {
    static_assert(!std::is_void_v<typename detail::InLibrary<TypeParam, decltype(operation)>::Element>);
    std::vector<TypeParam> result(left.size());
    detail::erase<TypeParam>(operation).apply(nullptr, reinterpret_cast<const std::byte*>(left.data()),
                                              reinterpret_cast<const std::byte*>(right.data()),
                                              reinterpret_cast<std::byte*>(result.data()), left.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      const TypeParam wanted = operation(left[i], right[i]);
      if (wanted == wanted) {
        ASSERT_TRUE(result[i].bits == wanted.bits || (result[i] == 0.0f && wanted == 0.0f)) << i;
      } else {
        ASSERT_NE(result[i], result[i]) << i;
      }
    }
  };
  expect(sum), expect(product), expect(minimum), expect(maximum);
}

TYPED_TEST(Float16, AreCombined) {
  run_all({Kind::memory, 4}, [](const Group& all) {
    std::vector<TypeParam> numbers(1000, static_cast<float>(all.rank()) + 0.5f);
    all.combine(in_place(numbers), sum);
    for (const TypeParam number : numbers) ASSERT_EQ(static_cast<float>(number), 8.0f);
    EXPECT_EQ(static_cast<float>(all.combine(TypeParam(static_cast<float>(all.rank())), maximum)), 3.0f);
  });
}

}  // namespace
}  // namespace cohort::testing
