// SPDX-License-Identifier: Apache-2.0
// Predefined types by what they hold: by precision, by size, and pairs by their two halves.
#include <map>
#include <mutex>
#include <tuple>

#include "mpi/core/recording.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi {
namespace {

// A kind of number of Fortran: at least so many decimal digits, and a decimal exponent range.
struct Kind90 {
  int precision;
  int range;
  int type;
  int complex_type;
};
constexpr Kind90 reals[] = {
    {6, 37, abi::type_real4, abi::type_complex8},
    {15, 307, abi::type_real8, abi::type_complex16},
    {18, 4931, abi::type_long_double, abi::type_c_long_double_complex},
    {33, 4931, abi::type_real16, abi::type_complex32},
};

struct Integer90 {
  int range;
  int type;
};
constexpr Integer90 integers[] = {{2, abi::type_integer1},
                                  {4, abi::type_integer2},
                                  {9, abi::type_integer4},
                                  {18, abi::type_integer8},
                                  {38, abi::type_integer16}};

// The same arguments must give the same handle each time.
Datatype& made_once(int combiner, int precision, int range, int named) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::tuple<int, int, int>, Datatype*>;
  const std::lock_guard lock(mutex);
  Datatype*& type = made[{combiner, precision, range}];
  if (type == nullptr) {
    Recording recording(combiner, false);
    if (combiner != abi::combiner_f90_integer) recording.integer(precision);
    recording.integer(range);
    type = recording.make(Datatype::predefined_type(named).map);
    type->predefined = true;
    type->committed = true;
  }
  return *type;
}

const Kind90& real_with(int precision, int range) {
  check(precision != abi::undefined || range != abi::undefined, abi::err_arg,
        "the precision and the range are both MPI_UNDEFINED");
  for (const Kind90& real : reals) {
    if (precision <= real.precision && range <= real.range) return real;
  }
  throw Mistake(abi::err_arg, fmt::format("no real type has {} digits and an exponent range of {}: the largest has 33 "
                                          "and 4931",
                                          precision, range));
}

struct OfSize {
  int type_class;
  int size;
  int type;
};
constexpr OfSize by_size[] = {
    {abi::typeclass_real, 2, abi::type_real2},         {abi::typeclass_real, 4, abi::type_real4},
    {abi::typeclass_real, 8, abi::type_real8},         {abi::typeclass_real, 16, abi::type_real16},
    {abi::typeclass_integer, 1, abi::type_integer1},   {abi::typeclass_integer, 2, abi::type_integer2},
    {abi::typeclass_integer, 4, abi::type_integer4},   {abi::typeclass_integer, 8, abi::type_integer8},
    {abi::typeclass_integer, 16, abi::type_integer16}, {abi::typeclass_complex, 4, abi::type_complex4},
    {abi::typeclass_complex, 8, abi::type_complex8},   {abi::typeclass_complex, 16, abi::type_complex16},
    {abi::typeclass_complex, 32, abi::type_complex32}, {abi::typeclass_logical, 1, abi::type_logical1},
    {abi::typeclass_logical, 2, abi::type_logical2},   {abi::typeclass_logical, 4, abi::type_logical4},
    {abi::typeclass_logical, 8, abi::type_logical8},   {abi::typeclass_logical, 16, abi::type_logical16},
};

struct PairOf {
  int value;
  int index;
  int pair;
};
constexpr PairOf pairs[] = {
    {abi::type_float, abi::type_int, abi::type_float_int},
    {abi::type_double, abi::type_int, abi::type_double_int},
    {abi::type_long, abi::type_int, abi::type_long_int},
    {abi::type_int, abi::type_int, abi::type_2int},
    {abi::type_short, abi::type_int, abi::type_short_int},
    {abi::type_long_double, abi::type_int, abi::type_long_double_int},
    {abi::type_real, abi::type_real, abi::type_2real},
    {abi::type_double_precision, abi::type_double_precision, abi::type_2double_precision},
    {abi::type_integer, abi::type_integer, abi::type_2integer},
};

}  // namespace

void type_create_f90_real(int precision, int range, Datatype*& result) {
  result = &made_once(abi::combiner_f90_real, precision, range, real_with(precision, range).type);
}

void type_create_f90_complex(int precision, int range, Datatype*& result) {
  result = &made_once(abi::combiner_f90_complex, precision, range, real_with(precision, range).complex_type);
}

void type_create_f90_integer(int range, Datatype*& result) {
  for (const Integer90& integer : integers) {
    if (range <= integer.range) {
      result = &made_once(abi::combiner_f90_integer, 0, range, integer.type);
      return;
    }
  }
  throw Mistake(abi::err_arg, fmt::format("no integer type has {} digits: the largest has 38", range));
}

void type_match_size(int type_class, int size, Datatype*& result) {
  bool has_class = false;
  for (const OfSize& type : by_size) {
    if (type.type_class != type_class) continue;
    has_class = true;
    if (type.size == size) {
      result = &Datatype::predefined_type(type.type);
      return;
    }
  }
  check(has_class, abi::err_arg, "the class must be MPI_TYPECLASS_REAL, _INTEGER, _COMPLEX or _LOGICAL");
  throw Mistake(abi::err_arg, fmt::format("no type of this class has {} bytes", size));
}

void type_get_value_index(Datatype& value, Datatype& index, Datatype*& pair) {
  pair = nullptr;
  for (const PairOf& known : pairs) {
    const bool matches =
        &Datatype::predefined_type(known.value) == &value && &Datatype::predefined_type(known.index) == &index;
    if (matches) pair = &Datatype::predefined_type(known.pair);
  }
}

}  // namespace cohort::mpi
