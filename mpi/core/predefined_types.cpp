// SPDX-License-Identifier: Apache-2.0
// The datatypes that MPI defines, by their handles in the standard's ABI.
#include <array>

#include "mpi/constants.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

constexpr Value number(Basic basic, Count size) { return {basic, size, size, size}; }
constexpr Value shorter(Basic basic, Count size, External form, Count external_size) {
  return {basic, size, size, external_size, form};
}
constexpr Value complex(Basic basic, const Value& part) {
  return {basic, 2 * part.size, part.alignment, 2 * part.external_size, part.external, 2};
}
constexpr Value pair(Basic basic, const Value& first, const Value& second) {
  const Count second_at = (first.size + second.alignment - 1) / second.alignment * second.alignment;
  Value value{basic, first.size + second.size, std::max(first.alignment, second.alignment),
              first.external_size + second.external_size};
  value.halves = {&first, &second};
  value.places = {0, second_at};
  return value;
}

constexpr Value byte_value = number(Basic::byte, 1);
constexpr Value packed_value = number(Basic::packed, 1);
constexpr Value character_value = number(Basic::character, 1);
constexpr Value boolean_value = number(Basic::boolean, 1);
constexpr Value wide_character_value = shorter(Basic::wide_character, 4, External::as_unsigned, 2);

constexpr Value int8_value = number(Basic::int8, 1);
constexpr Value int16_value = number(Basic::int16, 2);
constexpr Value int32_value = number(Basic::int32, 4);
constexpr Value int64_value = number(Basic::int64, 8);
constexpr Value int128_value = number(Basic::int128, 16);
constexpr Value uint8_value = number(Basic::uint8, 1);
constexpr Value uint16_value = number(Basic::uint16, 2);
constexpr Value uint32_value = number(Basic::uint32, 4);
constexpr Value uint64_value = number(Basic::uint64, 8);
constexpr Value long_value = shorter(Basic::int64, 8, External::as_signed, 4);
constexpr Value unsigned_long_value = shorter(Basic::uint64, 8, External::as_unsigned, 4);

constexpr Value float16_value = number(Basic::float16, 2);
constexpr Value float32_value = number(Basic::float32, 4);
constexpr Value float64_value = number(Basic::float64, 8);
constexpr Value float80_value = shorter(Basic::float80, 16, External::from_float80, 16);
constexpr Value float128_value = number(Basic::float128, 16);
constexpr Value complex16_value = complex(Basic::complex16, float16_value);
constexpr Value complex32_value = complex(Basic::complex32, float32_value);
constexpr Value complex64_value = complex(Basic::complex64, float64_value);
constexpr Value complex80_value = complex(Basic::complex80, float80_value);
constexpr Value complex128_value = complex(Basic::complex128, float128_value);

constexpr Value logical1_value = number(Basic::logical1, 1);
constexpr Value logical2_value = number(Basic::logical2, 2);
constexpr Value logical4_value = number(Basic::logical4, 4);
constexpr Value logical8_value = number(Basic::logical8, 8);
constexpr Value logical16_value = number(Basic::logical16, 16);

constexpr Value float_int_value = pair(Basic::float_int, float32_value, int32_value);
constexpr Value double_int_value = pair(Basic::double_int, float64_value, int32_value);
constexpr Value long_int_value = pair(Basic::long_int, long_value, int32_value);
constexpr Value two_int_value = pair(Basic::two_int, int32_value, int32_value);
constexpr Value short_int_value = pair(Basic::short_int, int16_value, int32_value);
constexpr Value long_double_int_value = pair(Basic::long_double_int, float80_value, int32_value);
constexpr Value two_float_value = pair(Basic::two_float, float32_value, float32_value);
constexpr Value two_double_value = pair(Basic::two_double, float64_value, float64_value);
constexpr Value two_integer_value = pair(Basic::two_integer, int32_value, int32_value);

struct Predefined {
  int handle;
  const char* name;
  const Value& value;
};

constexpr Predefined table[] = {
    {abi::type_packed, "MPI_PACKED", packed_value},
    {abi::type_byte, "MPI_BYTE", byte_value},
    {abi::type_aint, "MPI_AINT", int64_value},
    {abi::type_count, "MPI_COUNT", int64_value},
    {abi::type_offset, "MPI_OFFSET", int64_value},

    {abi::type_char, "MPI_CHAR", character_value},
    {abi::type_signed_char, "MPI_SIGNED_CHAR", int8_value},
    {abi::type_unsigned_char, "MPI_UNSIGNED_CHAR", uint8_value},
    {abi::type_wchar, "MPI_WCHAR", wide_character_value},
    {abi::type_short, "MPI_SHORT", int16_value},
    {abi::type_unsigned_short, "MPI_UNSIGNED_SHORT", uint16_value},
    {abi::type_int, "MPI_INT", int32_value},
    {abi::type_unsigned, "MPI_UNSIGNED", uint32_value},
    {abi::type_long, "MPI_LONG", long_value},
    {abi::type_unsigned_long, "MPI_UNSIGNED_LONG", unsigned_long_value},
    {abi::type_long_long, "MPI_LONG_LONG_INT", int64_value},
    {abi::type_unsigned_long_long, "MPI_UNSIGNED_LONG_LONG", uint64_value},
    {abi::type_int8_t, "MPI_INT8_T", int8_value},
    {abi::type_uint8_t, "MPI_UINT8_T", uint8_value},
    {abi::type_int16_t, "MPI_INT16_T", int16_value},
    {abi::type_uint16_t, "MPI_UINT16_T", uint16_value},
    {abi::type_int32_t, "MPI_INT32_T", int32_value},
    {abi::type_uint32_t, "MPI_UINT32_T", uint32_value},
    {abi::type_int64_t, "MPI_INT64_T", int64_value},
    {abi::type_uint64_t, "MPI_UINT64_T", uint64_value},
    {abi::type_c_bool, "MPI_C_BOOL", boolean_value},
    {abi::type_cxx_bool, "MPI_CXX_BOOL", boolean_value},

    {abi::type_float, "MPI_FLOAT", float32_value},
    {abi::type_double, "MPI_DOUBLE", float64_value},
    {abi::type_long_double, "MPI_LONG_DOUBLE", float80_value},
    {abi::type_c_float_complex, "MPI_C_COMPLEX", complex32_value},
    {abi::type_c_double_complex, "MPI_C_DOUBLE_COMPLEX", complex64_value},
    {abi::type_c_long_double_complex, "MPI_C_LONG_DOUBLE_COMPLEX", complex80_value},
    {abi::type_cxx_float_complex, "MPI_CXX_FLOAT_COMPLEX", complex32_value},
    {abi::type_cxx_double_complex, "MPI_CXX_DOUBLE_COMPLEX", complex64_value},
    {abi::type_cxx_long_double_complex, "MPI_CXX_LONG_DOUBLE_COMPLEX", complex80_value},

    {abi::type_float_int, "MPI_FLOAT_INT", float_int_value},
    {abi::type_double_int, "MPI_DOUBLE_INT", double_int_value},
    {abi::type_long_int, "MPI_LONG_INT", long_int_value},
    {abi::type_2int, "MPI_2INT", two_int_value},
    {abi::type_short_int, "MPI_SHORT_INT", short_int_value},
    {abi::type_long_double_int, "MPI_LONG_DOUBLE_INT", long_double_int_value},
    {abi::type_2real, "MPI_2REAL", two_float_value},
    {abi::type_2double_precision, "MPI_2DOUBLE_PRECISION", two_double_value},
    {abi::type_2integer, "MPI_2INTEGER", two_integer_value},

    {abi::type_logical, "MPI_LOGICAL", logical4_value},
    {abi::type_integer, "MPI_INTEGER", int32_value},
    {abi::type_real, "MPI_REAL", float32_value},
    {abi::type_double_precision, "MPI_DOUBLE_PRECISION", float64_value},
    {abi::type_complex, "MPI_COMPLEX", complex32_value},
    {abi::type_double_complex, "MPI_DOUBLE_COMPLEX", complex64_value},
    {abi::type_character, "MPI_CHARACTER", character_value},
    {abi::type_logical1, "MPI_LOGICAL1", logical1_value},
    {abi::type_logical2, "MPI_LOGICAL2", logical2_value},
    {abi::type_logical4, "MPI_LOGICAL4", logical4_value},
    {abi::type_logical8, "MPI_LOGICAL8", logical8_value},
    {abi::type_logical16, "MPI_LOGICAL16", logical16_value},
    {abi::type_integer1, "MPI_INTEGER1", int8_value},
    {abi::type_integer2, "MPI_INTEGER2", int16_value},
    {abi::type_integer4, "MPI_INTEGER4", int32_value},
    {abi::type_integer8, "MPI_INTEGER8", int64_value},
    {abi::type_integer16, "MPI_INTEGER16", int128_value},
    {abi::type_real2, "MPI_REAL2", float16_value},
    {abi::type_real4, "MPI_REAL4", float32_value},
    {abi::type_real8, "MPI_REAL8", float64_value},
    {abi::type_real16, "MPI_REAL16", float128_value},
    {abi::type_complex4, "MPI_COMPLEX4", complex16_value},
    {abi::type_complex8, "MPI_COMPLEX8", complex32_value},
    {abi::type_complex16, "MPI_COMPLEX16", complex64_value},
    {abi::type_complex32, "MPI_COMPLEX32", complex128_value},
};

constexpr int first_type = abi::type_datatype_null;
constexpr int type_handles = 256;

struct AllPredefined {
  std::vector<Datatype*> list;
  std::array<Datatype*, type_handles> by_handle{};

  AllPredefined() {
    for (const auto& [handle, name, value] : table) {
      Recipe recipe;
      recipe.combiner = abi::combiner_named;
      Datatype& type = make_predefined<Datatype>(TypeMap(value), std::move(recipe));
      type.committed = true;
      type.name = name;
      list.push_back(&type);
      by_handle.at(static_cast<std::size_t>(handle - first_type)) = &type;
    }
  }
};

const AllPredefined& all() {
  static const auto& types = *new AllPredefined;
  return types;
}

}  // namespace

Datatype& Datatype::predefined_type(int abi_handle) {
  const int place = abi_handle - first_type;
  Datatype* const type =
      place >= 0 && place < type_handles ? all().by_handle[static_cast<std::size_t>(place)] : nullptr;
  check(type != nullptr, abi::err_type, "there is no predefined datatype with this handle");
  return *type;
}

std::span<Datatype* const> Datatype::all_predefined() { return all().list; }

}  // namespace cohort::mpi
