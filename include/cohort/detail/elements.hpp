// SPDX-License-Identifier: Apache-2.0
// Element types and operators as numbers. The members of a collective, and the two ends of a message, compare these
// numbers. They are the same in every program of a job, with any compiler: none is an address.
//
// Types that hold the same values in the same way have one number: long and long long, int and int32_t. Classes and
// enumerations have a number by their name, size and alignment. Lambdas have no name that programs share: all
// commutative lambdas have one number, all other lambdas another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cohort/detail/kernels.hpp"
#include "cohort/detail/type_name.hpp"
#include "cohort/operators.hpp"

namespace cohort::detail {

using Code = std::uint32_t;  // 0: no type or operator, or one that is not compared

inline constexpr Code bool_code = 1;
inline constexpr Code first_integer_code = 2;  // by size; unsigned before signed
inline constexpr Code first_floating_code = 10;
inline constexpr Code byte_code = 13;  // std::byte: memory of no type
inline constexpr Code complex_code = 0x20;
inline constexpr Code located_code = 0x40;
inline constexpr Code named = 0x80000000;

inline constexpr Code first_operator_code = 1;  // in the order of operators.hpp
inline constexpr Code commutative_lambda = 13;
inline constexpr Code ordered_lambda = 14;

std::string name_of_type(Code code);      // "double"; a description if this program does not know the type
std::string name_of_operator(Code code);  // "Sum"

// Names a number while this object lives. Every class in the program's calls has such an object from the program's
// start, so that a process can name the type of another rank's call.
class NamedCode {
 public:
  NamedCode(Code code, std::string_view name);
  ~NamedCode();
  NamedCode(const NamedCode&) = delete;

 private:
  friend std::string name_among_all(Code code);
  const Code code_;
  const std::string_view name_;
  NamedCode* earlier_ = nullptr;
  NamedCode* later_ = nullptr;
};

constexpr Code hash_of_name(std::string_view name, std::size_t size, std::size_t alignment) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ size ^ alignment << 32;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<Code>(hash ^ hash >> 32) | named;
}

template <class T>
struct CodeByName {
  static constexpr Code code = hash_of_name(type_name<T>(), sizeof(T), alignof(T));
  static inline const NamedCode name{code, type_name<T>()};
};

template <class T>
struct CodeOfType {
  static constexpr Code value() {
    static_cast<void>(&CodeByName<T>::name);  // instantiates the name
    return CodeByName<T>::code;
  }
};
template <>
struct CodeOfType<bool> {
  static constexpr Code value() { return bool_code; }
};
template <>
struct CodeOfType<std::byte> {
  static constexpr Code value() { return byte_code; }
};
template <Integer T>
struct CodeOfType<T> {
  static constexpr Code value() {
    Code code = first_integer_code + (std::is_signed_v<T> ? 1 : 0);
    for (std::size_t size = sizeof(T); size > 1; size /= 2) code += 2;
    return code;
  }
};
template <Floating T>
struct CodeOfType<T> {
  static constexpr Code value() {
    return first_floating_code + (std::same_as<T, float> ? 0 : std::same_as<T, double> ? 1 : 2);
  }
};
template <Complex T>
struct CodeOfType<T> {
  static constexpr Code value() { return complex_code + CodeOfType<typename T::value_type>::value(); }
};
template <Arithmetic T>
struct CodeOfType<Located<T>> {
  static constexpr Code value() { return located_code + CodeOfType<T>::value(); }
};

template <class T>
constexpr Code code_of_type() {
  return CodeOfType<T>::value();
}

// The place of T among the types that follow, from 1; 0 if T is none of them.
template <class T, class... Types>
constexpr Code place_among() {
  Code place = 0, found = 0;
  ((++place, found = std::same_as<T, Types> ? place : found), ...);
  return found;
}

// The same as find(). With UBSan, find() is no constant for GCC 12.
constexpr bool contains(std::string_view text, std::string_view word) {
  for (std::size_t begin = 0; begin + word.size() <= text.size(); ++begin) {
    std::size_t same = 0;
    while (same < word.size() && text[begin + same] == word[same]) ++same;
    if (same == word.size()) return true;
  }
  return false;
}

template <class Operator>
constexpr Code code_of_operator() {
  constexpr Code built_in = place_among<Operator, Sum, Product, Minimum, Maximum, MinimumAt, MaximumAt, BitAnd, BitOr,
                                        BitXor, LogicalAnd, LogicalOr, LogicalXor>();
  if constexpr (built_in != 0) {
    return built_in;
  } else if constexpr (contains(type_name<Operator>(), "lambda")) {
    return Operator::commutative ? commutative_lambda : ordered_lambda;
  } else {
    return CodeOfType<Operator>::value();
  }
}

}  // namespace cohort::detail
