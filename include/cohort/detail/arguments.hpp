// SPDX-License-Identifier: Apache-2.0
// Checks what a program passes to a call, and says in words what is wrong with it. Here no concept refuses an argument:
// a compiler would list its parts instead.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "cohort/detail/call.hpp"
#include "cohort/in_place.hpp"
#include "cohort/packed.hpp"
#include "cohort/strided.hpp"

namespace cohort::detail {

template <class T>
inline constexpr bool is_in_place = false;
template <class T>
inline constexpr bool is_in_place<InPlace<T>> = true;

template <class T>
inline constexpr bool is_strided = false;
template <class T>
inline constexpr bool is_strided<Strided<T>> = true;

template <class T>
inline constexpr bool is_packed = false;
template <class T, class Packer>
inline constexpr bool is_packed<Packed<T, Packer>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

template <class T>
inline constexpr bool is_literal = false;
template <std::size_t size>
inline constexpr bool is_literal<const char[size]> = true;

template <class Data, class Bare = std::remove_cvref_t<Data>>
struct Written {
  using Type = std::remove_reference_t<Data>;
};
template <std::ranges::range Data, class Bare>
struct Written<Data, Bare> {
  using Type = std::remove_reference_t<std::ranges::range_reference_t<Data>>;
};
template <class Data, class T>
struct Written<Data, InPlace<T>> {
  using Type = T;
};
template <class Data, class T>
struct Written<Data, Strided<T>> {
  using Type = T;
};

// The type of the elements in a range, in_place(), strided(), or a value.
template <class Data>
using TypeIn = std::remove_cv_t<typename Written<Data>::Type>;

// What a call gives that does not compile. It has a type, so that the compiler says no more than the one sentence.
struct Refused {};

template <Operation call, class... Types>
constexpr Refused refuse_number_as_tag() {
  static_assert(always_false<Types...>, "cohort: a tag is a type of its own: cohort::Tag{7}");
  return {};
}
template <Operation call, class... Types>
constexpr Refused refuse_tag_before_rank() {
  static_assert(always_false<Types...>, "cohort: the rank comes before the tag");
  return {};
}

template <class T>
constexpr bool is_element() {
  if constexpr (HoldsAddresses<T>::value) {
    static_assert(always_false<T>,
                  "cohort: the elements hold addresses (pointers, string_view, span), which mean nothing in another "
                  "process. Send what they point to, or use cohort::serialized()");
    return false;
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    static_assert(
        always_false<T>,
        "cohort: the elements are objects that can't be copied as bytes. Send, receive, bcast, gather, concat, "
        "scatter or shuffle cohort::serialized() instead");
    return false;
  } else {
    return true;
  }
}

enum class Access { read, write };

// Whether Data can be an argument, which is used after the call has returned if it goes on. If not, the compiler says
// why. Data is the type as the call's forwarding reference has it: a temporary is no reference.
template <Access access, bool goes_on, class Data>
constexpr bool is_argument() {
  using Bare = std::remove_cvref_t<Data>;
  constexpr bool range = std::ranges::range<Data>;
  constexpr bool lists = is_in_place<Bare> || is_strided<Bare>;
  if constexpr (is_packed<Bare>) {
    static_assert(always_false<Data>,
                  "cohort: serialized() is for blocking calls of send, receive, bcast, scatter, gather, concat and "
                  "shuffle");
    return false;
  } else if constexpr (std::is_pointer_v<Bare>) {
    static_assert(always_false<Data>, "cohort: a pointer does not say how many elements: std::span(pointer, count)");
    return false;
  } else if constexpr (is_literal<std::remove_reference_t<Data>>) {
    static_assert(always_false<Data>,
                  "cohort: a string literal has a zero byte at its end. Give a string or string_view");
    return false;
  } else if constexpr (range && !(std::ranges::contiguous_range<Data> && std::ranges::sized_range<Data>)) {
    static_assert(always_false<Data>,
                  "cohort: the elements do not lie one behind another. Give a vector, an array, a string, a span, or "
                  "cohort::strided()");
    return false;
  } else if constexpr (!is_element<TypeIn<Data>>()) {
    return false;
  } else if constexpr (goes_on && !std::is_lvalue_reference_v<Data> && !lists &&
                       !(range && std::ranges::borrowed_range<Data>)) {
    static_assert(always_false<Data>,
                  "cohort: start() and prepare() use the elements after the call has returned. Give a variable, not a "
                  "temporary");
    return false;
  } else if constexpr (access == Access::write && std::is_const_v<typename Written<Data>::Type>) {
    static_assert(always_false<Data>, "cohort: the call writes these elements, but they are const");
    return false;
  } else if constexpr (access == Access::write && !range && !lists && !std::is_lvalue_reference_v<Data>) {
    static_assert(always_false<Data>,
                  "cohort: the call writes this value. Give a variable. A number is no tag: cohort::Tag{7}");
    return false;
  } else {
    return true;
  }
}

// Whether the call can make such elements, to receive into them.
template <class T>
constexpr bool can_be_made() {
  static_assert(std::is_default_constructible_v<T>,
                "cohort: the call makes the elements before it receives them: they need a default constructor");
  return std::is_default_constructible_v<T>;
}

// Whether receive<T>() can give a T.
template <class T>
constexpr bool can_be_received() {
  if constexpr (is_argument<Access::write, false, T&>()) {
    return can_be_made<TypeIn<T&>>();
  } else {
    return false;
  }
}

// Whether these elements can arrive as a rank's part, behind those of other ranks.
template <class Data>
constexpr bool can_be_parts() {
  if constexpr (is_strided<std::remove_cvref_t<Data>>) {
    static_assert(always_false<Data>, "cohort: strided() is for send, receive and exchange");
    return false;
  } else if constexpr (!is_argument<Access::read, false, Data>()) {
    return false;
  } else if constexpr (std::is_same_v<TypeIn<Data>, bool>) {
    static_assert(always_false<Data>, "cohort: a vector of bool has no memory of its own for each: use char");
    return false;
  } else {
    return can_be_made<TypeIn<Data>>();
  }
}

// Whether Part can be what one rank gets of a vector that has one for each. An array of one size is an element.
template <class Part>
constexpr bool is_part() {
  if constexpr (std::ranges::range<Part> && !is_array<Part>) {
    return can_be_parts<const Part&>();
  } else {
    static_assert(always_false<Part>,
                  "cohort: each rank's part is a vector, a string or a span. With all in one vector, give the counts");
    return false;
  }
}

template <class Data>
Memory memory_in(Data& data) {
  if constexpr (is_in_place<std::remove_cv_t<Data>>) {
    return memory_of(data.elements);
  } else if constexpr (std::ranges::range<Data>) {
    return memory_of(data);
  } else {
    return memory_of_value(data);
  }
}

// The memory of an argument in one piece; none if the compiler has refused it.
template <Access access, bool goes_on, class Data>
Memory checked_memory(std::remove_reference_t<Data>& data) {
  if constexpr (is_strided<std::remove_cvref_t<Data>>) {
    static_assert(always_false<Data>, "cohort: strided() is for send, receive and exchange");
    return {};
  } else if constexpr (is_argument<access, goes_on, Data>()) {
    return memory_in(data);
  } else {
    return {};
  }
}

template <class A, class B>
constexpr void check_same_elements() {
  static_assert(std::is_same_v<TypeIn<A>, TypeIn<B>>,
                "cohort: the input and the output have elements of different types");
}

// The standard library's operators that are cohort's, too: std::plus<> is cohort::sum.
template <class Operator>
constexpr auto in_cohort(const Operator& operation) {
  constexpr std::string_view name = standard_template<Operator>();
  if constexpr (name == "plus") {
    return sum;
  } else if constexpr (name == "multiplies") {
    return product;
  } else if constexpr (name == "bit_and") {
    return bit_and;
  } else if constexpr (name == "bit_or") {
    return bit_or;
  } else if constexpr (name == "bit_xor") {
    return bit_xor;
  } else if constexpr (name == "logical_and") {
    return logical_and;
  } else if constexpr (name == "logical_or") {
    return logical_or;
  } else {
    return operation;
  }
}

template <class T, class Operator>
Reduction reduction_by(const Operator& operation) {
  using Own = decltype(in_cohort(operation));
  if constexpr (!requires { Own::commutative; }) {
    static_assert(always_false<Operator>,
                  "cohort: this operator does not say whether its operands may be swapped. Say "
                  "cohort::commutative(f), or cohort::ordered(f) to keep the order of the ranks; or take "
                  "cohort::sum, product, minimum, maximum and the like");
    return {};
  } else if constexpr (!ReductionOperator<Own, T>) {
    static_assert(always_false<Operator>, "cohort: this operator does not make one element of two: T(T, T)");
    return {};
  } else {
    return erase<T>(in_cohort(operation));
  }
}

// One number for each rank, of any integral type.
template <class R>
concept Counts = std::ranges::input_range<R> && std::integral<std::ranges::range_value_t<R>>;

// What a call with one argument gives: one element, or as many as a std::array has.
template <class Data, class Bare = std::remove_cvref_t<Data>>
using LikeInput = std::conditional_t<is_array<Bare>, Bare, TypeIn<Data>>;

// The memory of a value that a call gives.
template <class T>
Memory memory_of_result(T& value) {
  return memory_in(value);
}
template <class T>
Memory memory_of_result(std::optional<T>& value) {
  return memory_of_result(*value);
}
template <class T>
Memory memory_of_result(std::vector<T>& values) {
  return memory_of(values);
}

}  // namespace cohort::detail
