// SPDX-License-Identifier: Apache-2.0
// The built-in operators: what the library's kernels make of whole vectors is what the operator says of each element,
// for every type, length and place of the result; and what the operators promise of values at the edges.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

#include "cohort/cohort.hpp"

namespace cohort::testing {
namespace {

using detail::InLibrary;

template <class T>
bool same(const T& a, const T& b) {
  return a == b || (a != a && b != b);
}
template <class T>
bool same(const Located<T>& a, const Located<T>& b) {
  return same(a.value, b.value) && a.location == b.location;
}
template <class T>
bool same(const std::complex<T>& a, const std::complex<T>& b) {
  return same(a.real(), b.real()) && same(a.imag(), b.imag());
}

// Values that meet each other at all offsets: few, some alike, and those at the edges.
template <class T>
struct Values {
  static std::vector<T> some() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values{T(0), T(1), T(2), T(3), T(1), T(77), Limits::max(), Limits::lowest(), T(Limits::max() / 2)};
    if constexpr (!std::is_integral_v<T>)
      values.insert(values.end(), {-T(0), T(0.5), T(-7), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()});
    return values;
  }
};
template <class T>
struct Values<Located<T>> {
  static std::vector<Located<T>> some() {
    std::vector<Located<T>> located;
    for (const T& value : Values<T>::some()) {
      for (const std::int64_t at : {3, -1}) located.push_back({value, at});
    }
    return located;
  }
};
template <class T>
struct Values<std::complex<T>> {
  static std::vector<std::complex<T>> some() {
    std::vector<std::complex<T>> values;
    for (const T& real : Values<T>::some()) {
      for (const T& imaginary : {T(0), T(-2), std::numeric_limits<T>::infinity()}) values.emplace_back(real, imaginary);
    }
    return values;
  }
};

template <class T>
std::vector<T> vector_of(std::size_t count, std::size_t step) {
  const std::vector<T> values = Values<T>::some();
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(values[(i * step + i / values.size()) % values.size()]);
  return result;
}

enum class Place { left, right, elsewhere };

template <class T, class Operator>
void expect_elementwise(Operator operation, std::size_t count, Place place) {
  std::vector<T> left = vector_of<T>(count, 1);
  std::vector<T> right = vector_of<T>(count, 2);
  std::vector<T> result(count), expected;
  for (std::size_t i = 0; i < count; ++i) expected.push_back(operation(left[i], right[i]));
  std::vector<T>& target = place == Place::left ? left : place == Place::right ? right : result;
  const auto bytes = [](std::vector<T>& of) { return reinterpret_cast<std::byte*>(of.data()); };
  const detail::Reduction reduction = detail::erase<T>(operation);
  reduction.apply(reduction.operation.get(), bytes(left), bytes(right), bytes(target), count);
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_TRUE(same(target[i], expected[i])) << "element " << i << " of " << count << ", result at " << int(place);
}

template <class T, class Operator>
void expect_kernel(Operator operation) {
  static_assert(!std::is_void_v<typename InLibrary<T, Operator>::Element>);
  for (const Place place : {Place::left, Place::right, Place::elsewhere}) {
    for (const std::size_t count : {0, 1, 7, 31, 64, 65, 1023}) expect_elementwise<T>(operation, count, place);
  }
}

template <class T>
class Arithmetic : public ::testing::Test {};

// std::vector<bool> has no elements in memory; bool has a test of its own.
using ArithmeticTypes =
    ::testing::Types<char, signed char, unsigned char, char8_t, char16_t, char32_t, wchar_t, short, unsigned short, int,
                     unsigned, long, unsigned long, long long, unsigned long long, float, double, long double>;
TYPED_TEST_SUITE(Arithmetic, ArithmeticTypes, );

TYPED_TEST(Arithmetic, KernelsDoWhatTheOperatorSays) {
  expect_kernel<TypeParam>(sum);
  expect_kernel<TypeParam>(product);
  expect_kernel<TypeParam>(minimum);
  expect_kernel<TypeParam>(maximum);
  expect_kernel<Located<TypeParam>>(minimum_at);
  expect_kernel<Located<TypeParam>>(maximum_at);
  expect_kernel<TypeParam>(logical_and);
  expect_kernel<TypeParam>(logical_or);
  expect_kernel<TypeParam>(logical_xor);
  if constexpr (std::integral<TypeParam>) {
    expect_kernel<TypeParam>(bit_and);
    expect_kernel<TypeParam>(bit_or);
    expect_kernel<TypeParam>(bit_xor);
  }
}

template <class T>
class Floating : public ::testing::Test {};
using FloatingTypes = ::testing::Types<float, double, long double>;
TYPED_TEST_SUITE(Floating, FloatingTypes, );

TYPED_TEST(Floating, ComplexKernelsDoWhatTheOperatorSaysAlsoOfInfinities) {
  expect_kernel<std::complex<TypeParam>>(sum);
  expect_kernel<std::complex<TypeParam>>(product);
}

// Whatever the order: otherwise processes that combine in different orders would get different results.
TYPED_TEST(Floating, ExtremaOfANanAreNan) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const TypeParam value : Values<TypeParam>::some()) {
    for (const TypeParam extreme : {minimum(nan, value), minimum(value, nan), maximum(nan, value), maximum(value, nan)})
      EXPECT_NE(extreme, extreme);
    const Located<TypeParam> at_nan{nan, 5}, other{value, 1};
    const std::int64_t expected = value != value ? 1 : 5;
    EXPECT_EQ(minimum_at(at_nan, other).location, expected);
    EXPECT_EQ(minimum_at(other, at_nan).location, expected);
    EXPECT_EQ(maximum_at(at_nan, other).location, expected);
    EXPECT_EQ(maximum_at(other, at_nan).location, expected);
  }
}

TEST(Bool, KernelsDoWhatTheOperatorSays) {
  constexpr std::size_t count = 130;
  bool left[count], right[count], result[count];
  for (std::size_t i = 0; i < count; ++i) left[i] = i % 2 == 0, right[i] = i % 3 == 0;
  const auto expect = [&](auto operation) {
    const detail::Reduction reduction = detail::erase<bool>(operation);
    reduction.apply(nullptr, reinterpret_cast<std::byte*>(left), reinterpret_cast<std::byte*>(right),
                    reinterpret_cast<std::byte*>(result), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(result[i], operation(left[i], right[i])) << i;
  };
  expect(sum), expect(product), expect(minimum), expect(maximum);
  expect(bit_and), expect(bit_or), expect(bit_xor), expect(logical_and), expect(logical_or), expect(logical_xor);
}

TEST(Integers, WrapAround) {
  EXPECT_EQ(sum(std::numeric_limits<int>::max(), 1), std::numeric_limits<int>::min());
  EXPECT_EQ(sum(std::int8_t{127}, std::int8_t{1}), -128);
  EXPECT_EQ(product(std::uint16_t{65535}, std::uint16_t{65535}), 1);  // as ints they would overflow
  EXPECT_EQ(product(std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}),
            std::numeric_limits<std::int64_t>::min());
}

// Users' own operators and types have their loop in the program.
TEST(UsersOwn, OperatorsAndTypesAreAppliedToEachElement) {
  struct Pair {
    int a, b;
    bool operator==(const Pair&) const = default;
    Pair operator+(const Pair& other) const { return {a + other.a, b * other.b}; }
  };
  int factor = 3;
  const detail::Reduction with_state = detail::erase<int>(ordered([factor](int a, int b) { return factor * a + b; }));
  const detail::Reduction own_type = detail::erase<Pair>(sum);
  for (const std::size_t count : {0, 1, 63, 64, 200}) {
    std::vector<int> left(count, 2), right(count, 5);
    with_state.apply(with_state.operation.get(), reinterpret_cast<std::byte*>(left.data()),
                     reinterpret_cast<std::byte*>(right.data()), reinterpret_cast<std::byte*>(right.data()), count);
    EXPECT_EQ(right, std::vector<int>(count, 11));
    std::vector<Pair> a(count, {1, 2}), b(count, {3, 4});
    own_type.apply(nullptr, reinterpret_cast<std::byte*>(a.data()), reinterpret_cast<std::byte*>(b.data()),
                   reinterpret_cast<std::byte*>(a.data()), count);
    EXPECT_EQ(a, std::vector<Pair>(count, {4, 8}));
  }
}

}  // namespace
}  // namespace cohort::testing
