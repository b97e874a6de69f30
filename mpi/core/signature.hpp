// SPDX-License-Identifier: Apache-2.0
// What the data of a datatype's elements are: basic values, in the order of the type map, without their places.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cohort/types.hpp"

namespace cohort::mpi {

// What a predefined datatype's values are. Types that hold the same values in the same way share a Basic: MPI_INT,
// MPI_INT32_T and MPI_INTEGER on this machine.
enum class Basic : std::uint8_t {
  byte,
  character,
  boolean,
  packed,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  float80,   // long double
  float128,  // Fortran's REAL*16
  // Complex numbers, by the size of one part.
  complex32,
  complex64,
  complex80,
  complex128,
  // Fortran's.
  logical1,
  logical2,
  logical4,
  logical8,
  wide_character,
  // Pairs of C, with C's padding.
  float_int,
  double_int,
  long_int,
  two_int,
  short_int,
  long_double_int,
  // Pairs of Fortran.
  two_float,
  two_double,
  two_integer,
  // Types that only some compilers have. The core copies them, but has no arithmetic for them.
  int128,
  float16,
  complex16,
  logical16,
};

// How a value is written in external32.
enum class External : std::uint8_t {
  same,       // each number's bytes, from the most significant
  as_signed,  // fewer bytes than here
  as_unsigned,
  from_float80,  // 16 bytes of IEEE's binary128
};

// A predefined datatype's element. MPI_LONG and MPI_INT64_T differ in external32 only.
struct Value {
  Basic basic{};
  Count size = 0;  // bytes of data: without padding
  Count alignment = 1;
  Count external_size = 0;
  External external = External::same;
  int numbers = 1;                       // a complex value is two numbers
  std::array<const Value*, 2> halves{};  // of a pair
  std::array<Count, 2> places{};         // where the halves lie

  constexpr bool is_pair() const { return halves[0] != nullptr; }
};

struct Signature;
using SignatureRef = std::shared_ptr<const Signature>;

// An element's values, run by run. Only structs add runs: every other constructor repeats one signature.
struct Signature {
  struct Run {
    const Value* value = nullptr;  // nullptr: `of` is repeated
    SignatureRef of;
    Count number = 0;
  };
  std::vector<Run> runs;
  Count size = 0;           // bytes of data
  Count values = 0;         // a pair is two: MPI_Get_elements counts so
  Count external_size = 0;  // bytes in external32

  // Adds `number` times the values of `of`. Throws Mistake(err_count) if the size exceeds a Count.
  void append(const SignatureRef& of, Count number);
  void append(const Value& value, Count number);
};

// The number of values in the first `bytes` of elements; -1: the last value is not whole.
Count values_in(const Signature& signature, Count bytes);

// The bytes of the first `values` values of elements that have at least one.
Count bytes_of(const Signature& signature, Count values);

}  // namespace cohort::mpi
