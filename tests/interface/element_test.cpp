// SPDX-License-Identifier: Apache-2.0
// Types that hold addresses are found by their members.
#include "cohort/element.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <span>
#include <string_view>
#include <variant>

namespace cohort::testing {
namespace {

struct TwoNumbers {
  int x;
  double y;
};
struct Name {
  int x;
  const char* text;
};
struct View {
  int before[3];
  std::string_view text;
};
struct Nested {
  TwoNumbers numbers;
  Name name;
};
struct InArray {
  std::array<char*, 2> pointers;
};
struct InRawArrays {
  int grid[2][3];
  TwoNumbers numbers[2];
  Name names[2];
};
struct Derived : TwoNumbers {
  int z;
};
struct DerivedFromName : Name {
  int z;
};
struct BitFields {
  int a : 3;
  int b : 5;
};
struct Callback {
  int a : 3;
  void (*call)();
};
struct Empty {};
struct WithUnion {
  int kind;
  union {
    int number;
    float fraction;
  };
  int* pointer;
};
class Marked {
 public:
  explicit Marked(int* where) : where_(where) {}

 private:
  int* where_;
};
struct HoldsMarked {
  int x;
  Marked marked;
};

struct BehindArrays {
  char text[64];
  int numbers[40];
  const char* more;
};

// Made of what holds addresses, they hold none themselves.
struct FromText {
  FromText() = default;
  FromText(const char* text) { letters[0] = text[0]; }  // NOLINT: converts
  char letters[16];
};
struct FromView {
  FromView() = default;
  FromView(std::string_view text) : year(static_cast<int>(text.size())) {}  // NOLINT: converts
  int year;
};
struct HasFromText {
  int number;
  FromText text;
};
struct HasFromView {
  FromView view;
  int numbers[40];
  double number;
};
struct HasString {
  std::string text;
  int number;
};

template <class... Types>
constexpr bool all_hold = (HoldsAddresses<Types>::value && ...);
template <class... Types>
constexpr bool none_holds = (!HoldsAddresses<Types>::value && ...);

}  // namespace
}  // namespace cohort::testing

template <>
struct cohort::HoldsAddresses<cohort::testing::Marked> : std::true_type {};

namespace cohort::testing {
namespace {

TEST(Element, TypesWithAddressesAreFound) {
  EXPECT_TRUE((all_hold<int*, void (*)(), std::string_view, std::span<int>, std::reference_wrapper<int>>));
  EXPECT_TRUE((all_hold<Name, View, Nested, InArray, InRawArrays, DerivedFromName, Callback, WithUnion>));
  EXPECT_TRUE((all_hold<BehindArrays, Marked, HoldsMarked, std::optional<Name>, std::variant<int, Name>>));
}

TEST(Element, OtherTypesAreElements) {
  EXPECT_TRUE((none_holds<int, std::byte, std::complex<double>, std::array<int, 3>, std::optional<int>>));
  EXPECT_TRUE((none_holds<TwoNumbers, Derived, BitFields, Empty>));
  EXPECT_TRUE((none_holds<FromText, FromView, HasFromText, HasFromView, HasString>));
}

}  // namespace
}  // namespace cohort::testing
