// SPDX-License-Identifier: Apache-2.0
#include "c/elements.hpp"

#include <fmt/format.h>

#include <complex>
#include <limits>
#include <memory>
#include <type_traits>

#include "c/guard.hpp"

namespace cohort::c {
namespace {

// A type of the program: its size, above a mark.
constexpr int size_shift = 8;
constexpr cohort_type own_mark = 0xff;
constexpr cohort_type first_located = COHORT_LOCATED(COHORT_BYTE);

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_located = false;
template <class T>
inline constexpr bool is_located<Located<T>> = true;

// These call visit.operator()<T>() with the element type. They return false if there is no such type.
template <class Visit>
bool with_arithmetic(cohort_type type, const Visit& visit) {
  switch (type) {
    case COHORT_BOOL:
      return visit.template operator()<bool>(), true;
    case COHORT_INT8:
      return visit.template operator()<std::int8_t>(), true;
    case COHORT_UINT8:
      return visit.template operator()<std::uint8_t>(), true;
    case COHORT_INT16:
      return visit.template operator()<std::int16_t>(), true;
    case COHORT_UINT16:
      return visit.template operator()<std::uint16_t>(), true;
    case COHORT_INT32:
      return visit.template operator()<std::int32_t>(), true;
    case COHORT_UINT32:
      return visit.template operator()<std::uint32_t>(), true;
    case COHORT_INT64:
      return visit.template operator()<std::int64_t>(), true;
    case COHORT_UINT64:
      return visit.template operator()<std::uint64_t>(), true;
    case COHORT_FLOAT:
      return visit.template operator()<float>(), true;
    case COHORT_DOUBLE:
      return visit.template operator()<double>(), true;
    case COHORT_LONG_DOUBLE:
      return visit.template operator()<long double>(), true;
    default:
      return false;
  }
}

template <class Visit>
bool with_type(cohort_type type, const Visit& visit) {
  switch (type) {
    case COHORT_BYTE:
      return visit.template operator()<std::byte>(), true;
    case COHORT_FLOAT16:
      return visit.template operator()<float16>(), true;
    case COHORT_BFLOAT16:
      return visit.template operator()<bfloat16>(), true;
    case COHORT_COMPLEX_FLOAT:
      return visit.template operator()<std::complex<float>>(), true;
    case COHORT_COMPLEX_DOUBLE:
      return visit.template operator()<std::complex<double>>(), true;
    case COHORT_COMPLEX_LONG_DOUBLE:
      return visit.template operator()<std::complex<long double>>(), true;
    default:
      break;
  }
  if (type < first_located) return with_arithmetic(type, visit);
  return with_arithmetic(type - COHORT_LOCATED(0), [&]<class T>() { visit.template operator()<Located<T>>(); });
}

// Whether the operator is defined for elements of type T.
template <class T, class Operator>
constexpr bool is_defined() {
  constexpr bool number = detail::Arithmetic<T> || detail::OneOf<T, float16, bfloat16>;
  if constexpr (detail::OneOf<Operator, Sum, Product>) return number || is_complex<T>;
  if constexpr (detail::OneOf<Operator, MinimumAt, MaximumAt>) return is_located<T>;
  if constexpr (detail::OneOf<Operator, BitAnd, BitOr, BitXor>) return std::integral<T>;
  return number;
}

// Calls `visit` with the built-in operator and its name. Returns false if there is none of this number.
template <class Visit>
bool with_operator(std::intptr_t number, const Visit& visit) {
  switch (number) {
    case 1:
      return visit(Sum{}, "COHORT_SUM"), true;
    case 2:
      return visit(Product{}, "COHORT_PRODUCT"), true;
    case 3:
      return visit(Minimum{}, "COHORT_MINIMUM"), true;
    case 4:
      return visit(Maximum{}, "COHORT_MAXIMUM"), true;
    case 5:
      return visit(MinimumAt{}, "COHORT_MINIMUM_AT"), true;
    case 6:
      return visit(MaximumAt{}, "COHORT_MAXIMUM_AT"), true;
    case 7:
      return visit(BitAnd{}, "COHORT_BIT_AND"), true;
    case 8:
      return visit(BitOr{}, "COHORT_BIT_OR"), true;
    case 9:
      return visit(BitXor{}, "COHORT_BIT_XOR"), true;
    case 10:
      return visit(LogicalAnd{}, "COHORT_LOGICAL_AND"), true;
    case 11:
      return visit(LogicalOr{}, "COHORT_LOGICAL_OR"), true;
    case 12:
      return visit(LogicalXor{}, "COHORT_LOGICAL_XOR"), true;
    default:
      return false;
  }
}

template <class Operator>
detail::Reduction built_in(cohort_type type, Operator operation, const char* name, const Where& where) {
  detail::Reduction made;
  bool defined = false;
  with_type(type, [&]<class T>() {
    if constexpr (is_defined<T, Operator>()) {
      made = detail::erase<T>(operation);
      defined = true;
    }
  });
  if (!defined)
    refuse(where, fmt::format("{} is not defined for {}", name, detail::name_of_type(element_type(type, where).code)));
  return made;
}

detail::Reduction own(const cohort_operator& operation, const Where& where) {
  if (operation.function == nullptr) refuse(where, "the operator's function is a null pointer");
  if (operation.reserved != 0) refuse(where, "the operator's field `reserved` is not 0");
  detail::Reduction made;
  made.apply = [](const void* stored, const std::byte* left, const std::byte* right, std::byte* result,
                  std::size_t count) {
    const auto& user = *static_cast<const cohort_operator*>(stored);
    user.function(user.context, left, right, result, static_cast<std::int64_t>(count));
  };
  made.operation = std::make_shared<const cohort_operator>(operation);
  made.commutative = operation.commutative != 0;
  made.code = made.commutative ? detail::commutative_lambda : detail::ordered_lambda;
  return made;
}

}  // namespace

ElementType element_type(cohort_type type, const Where& where) {
  if (type > own_mark && (type & own_mark) == own_mark) return {static_cast<std::size_t>(type >> size_shift), 0};
  ElementType found;
  if (!with_type(type, [&]<class T>() { found = {sizeof(T), detail::code_of_type<T>()}; }))
    refuse(where, fmt::format("there is no element type of the number {}", type));
  return found;
}

detail::Reduction reduction(cohort_type type, const cohort_operator* operation, const Where& where) {
  if (operation == nullptr) refuse(where, "the operator is a null pointer");  // a built-in one is a number
  detail::Reduction made;
  const bool found = with_operator(
      reinterpret_cast<std::intptr_t>(operation),
      [&](const auto& built_in_operator, const char* name) { made = built_in(type, built_in_operator, name, where); });
  return found ? made : own(*operation, where);
}

}  // namespace cohort::c

cohort_type cohort_type_of_size(int64_t bytes) {
  using namespace cohort::c;
  const bool possible = bytes > 0 && bytes <= std::numeric_limits<cohort_type>::max() >> size_shift;
  return possible ? bytes << size_shift | own_mark : 0;
}
