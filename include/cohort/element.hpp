// SPDX-License-Identifier: Apache-2.0
// What can be sent: elements whose bytes mean the same in every process.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>  // and the concepts of ranges, without <ranges>
#include <type_traits>

#include "cohort/detail/type_name.hpp"

namespace cohort {

// Whether values of T hold addresses (pointers, views, structs with such members), which mean nothing in another
// process. The members of an aggregate are looked at. For a class with private members, say it yourself:
//   template <> struct cohort::HoldsAddresses<MyIterator> : std::true_type {};
template <class T>
struct HoldsAddresses;

namespace detail {

template <class... Types>
inline constexpr bool always_false = false;

// Converts to every type that holds addresses.
struct AnAddress {
  template <class T>
  requires HoldsAddresses<T>::value operator T() const;
};

// Converts to every type but `Whole`: or a copy of the whole would pass for its first member.
template <class Whole>
struct AnyMember {
  template <class T>
  requires(!std::is_same_v<T, Whole>) operator T() const;
};

inline constexpr std::size_t members_looked_at = 32;

// Tries to make a T with an address for its first member, for its second one, and so on. Members without a default
// value let no shorter list make a T, so the search does not end where one does not. Members before it are tried in
// braces, too, where an array is one member: without them each of its elements counts, but some classes can't be made
// of braces.
template <class T, class... Before>
constexpr bool some_member_holds_addresses(const Before&... before) {
  if constexpr (
      requires {
        T{before..., AnAddress{}};
      } ||
      requires {
        T{{before}..., AnAddress{}};
      }) {
    return true;
  } else if constexpr (sizeof...(Before) < members_looked_at && sizeof...(Before) < sizeof(T)) {
    return some_member_holds_addresses<T>(before..., AnyMember<T>{});
  } else {
    return false;
  }
}

template <class T>
constexpr bool holds_addresses() {
  if constexpr (std::is_pointer_v<T> || std::ranges::view<T> || standard_template<T>() == "reference_wrapper") {
    return true;
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    return some_member_holds_addresses<T>();
  } else {
    return false;
  }
}

}  // namespace detail

template <class T>
struct HoldsAddresses : std::bool_constant<detail::holds_addresses<T>()> {};
template <template <class...> class Holder, class... Types>
requires(detail::standard_template<Holder<Types...>>() == "optional" ||
         detail::standard_template<Holder<Types...>>() == "variant") struct HoldsAddresses<Holder<Types...>>
    : std::disjunction<HoldsAddresses<Types>...> {
};
template <class T, std::size_t count>
struct HoldsAddresses<std::array<T, count>> : HoldsAddresses<T> {};

// What can be sent: its bytes are a copy of it, and hold no address.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && !std::is_const_v<T> && !HoldsAddresses<T>::value;

// Spans, vectors, arrays, strings: contiguous elements.
template <class R>
concept Elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Element<std::remove_cv_t<std::ranges::range_value_t<R>>>;

// The same, to be written.
template <class R>
concept MutableElements = Elements<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

// A container that can have the size that the sender chose: a vector or a string. The calls check its elements.
template <class T>
concept Growing = std::ranges::contiguous_range<T> && std::ranges::sized_range<T> &&
    requires(T& container, std::size_t size) {
  container.resize(size);
};

// One element that is not itself a range.
template <class T>
concept Value = Element<T> && !std::ranges::range<T>;

}  // namespace cohort
