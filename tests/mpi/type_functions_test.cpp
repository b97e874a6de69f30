// SPDX-License-Identifier: Apache-2.0
// What functions for datatypes say and refuse, by examples.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "mpi/core/mistake.hpp"
#include "mpi/core/type_functions.hpp"
#include "tests/mpi/code_of.hpp"

namespace cohort::mpi {
namespace {

Datatype& predefined(int handle) { return Datatype::predefined_type(handle); }

Datatype& int_type() { return predefined(abi::type_int); }

using Ints = std::vector<int>;
using Counts = std::vector<Count>;

Numbers numbers(const std::vector<std::int32_t>& list) { return Numbers(list.data()); }
Numbers numbers(const std::vector<std::int64_t>& list) { return Numbers(list.data()); }

// A new type's contents; then it is freed.
void expect_contents(Datatype* type, int combiner, const Ints& integers, const Counts& addresses, const Counts& counts,
                     const std::vector<Datatype*>& types = {&int_type()}) {
  Count sizes[4] = {};
  int found = 0;
  type_get_envelope_c(*type, sizes[0], sizes[1], sizes[2], sizes[3], found);
  EXPECT_EQ(found, combiner);
  const auto sized = [](Count size) { return static_cast<std::size_t>(size); };
  Ints found_integers(sized(sizes[0]));
  Counts found_addresses(sized(sizes[1])), found_counts(sized(sizes[2]));
  std::vector<Datatype*> found_types(sized(sizes[3]));
  type_get_contents_c(*type, sizes[0], sizes[1], sizes[2], sizes[3], found_integers.data(), found_addresses.data(),
                      found_counts.data(), found_types);
  EXPECT_EQ(found_integers, integers);
  EXPECT_EQ(found_addresses, addresses);
  EXPECT_EQ(found_counts, counts);
  EXPECT_EQ(found_types, types);
  int narrow[4] = {};
  const auto envelope = [&] { type_get_envelope(*type, narrow[0], narrow[1], narrow[2], narrow[3]); };
  EXPECT_EQ(code_of(envelope), counts.empty() ? abi::success : abi::err_type);
  if (counts.empty()) {
    EXPECT_EQ(narrow[0], sizes[0]);
    EXPECT_EQ(narrow[3], combiner);
  }
  if (!integers.empty()) {
    const auto too_few = [&] {
      type_get_contents_c(*type, sizes[0] - 1, sizes[1], sizes[2], sizes[3], found_integers.data(),
                          found_addresses.data(), found_counts.data(), found_types);
    };
    EXPECT_EQ(code_of(too_few), abi::err_arg);
  }
  type_free(type);
  EXPECT_EQ(type, nullptr);
}

TEST(TypeContents, AreWhatTheConstructorGotInts) {
  Datatype* type = nullptr;
  const Ints two_three = {2, 3}, five_seven = {5, 7};
  const Counts far = {40, 80};
  type_contiguous(3, int_type(), type);
  expect_contents(type, abi::combiner_contiguous, {3}, {}, {});
  type_vector(2, 3, 4, int_type(), type);
  expect_contents(type, abi::combiner_vector, {2, 3, 4}, {}, {});
  type_create_hvector(2, 3, 40, int_type(), type);
  expect_contents(type, abi::combiner_hvector, {2, 3}, {40}, {});
  type_indexed(2, numbers(two_three), numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_indexed, {2, 2, 3, 5, 7}, {}, {});
  type_create_hindexed(2, numbers(two_three), numbers(far), int_type(), type);
  expect_contents(type, abi::combiner_hindexed, {2, 2, 3}, {40, 80}, {});
  type_create_indexed_block(2, 4, numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_indexed_block, {2, 4, 5, 7}, {}, {});
  type_create_hindexed_block(2, 4, numbers(far), int_type(), type);
  expect_contents(type, abi::combiner_hindexed_block, {2, 4}, {40, 80}, {});
  const std::vector<Datatype*> types = {&int_type(), &predefined(abi::type_double)};
  type_create_struct(2, numbers(two_three), numbers(far), types, type);
  expect_contents(type, abi::combiner_struct, {2, 2, 3}, {40, 80}, {}, types);
  type_create_resized(int_type(), -4, 12, type);
  expect_contents(type, abi::combiner_resized, {}, {-4, 12}, {});
  type_dup(int_type(), type);
  EXPECT_TRUE(type->committed);
  expect_contents(type, abi::combiner_dup, {}, {}, {});
  const Ints ones = {1, 1};
  type_create_subarray(2, numbers(five_seven), numbers(two_three), numbers(ones), abi::order_c, int_type(), type);
  expect_contents(type, abi::combiner_subarray, {2, 5, 7, 2, 3, 1, 1, abi::order_c}, {}, {});
  const Ints distributions = {abi::distribute_block, abi::distribute_cyclic};
  const Ints arguments = {default_argument, 2};
  type_create_darray(6, 4, 2, numbers(five_seven), distributions.data(), arguments.data(), two_three.data(),
                     abi::order_fortran, int_type(), type);
  expect_contents(type, abi::combiner_darray,
                  {6, 4, 2, 5, 7, distributions[0], distributions[1], arguments[0], 2, 2, 3, abi::order_fortran}, {},
                  {});
}

TEST(TypeContents, AreWhatTheConstructorGotLargeCounts) {
  Datatype* type = nullptr;
  const Counts two_three = {2, 3}, five_seven = {5, 7};
  constexpr Count two = 2;
  type_contiguous(two, int_type(), type);
  expect_contents(type, abi::combiner_contiguous, {}, {}, {2});
  type_vector(two, 3, 4, int_type(), type);
  expect_contents(type, abi::combiner_vector, {}, {}, {2, 3, 4});
  type_create_hvector(two, 3, 40, int_type(), type);
  expect_contents(type, abi::combiner_hvector, {}, {}, {2, 3, 40});
  type_indexed(two, numbers(two_three), numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_indexed, {}, {}, {2, 2, 3, 5, 7});
  type_create_hindexed(two, numbers(two_three), numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_hindexed, {}, {}, {2, 2, 3, 5, 7});
  type_create_indexed_block(two, 4, numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_indexed_block, {}, {}, {2, 4, 5, 7});
  type_create_hindexed_block(two, 4, numbers(five_seven), int_type(), type);
  expect_contents(type, abi::combiner_hindexed_block, {}, {}, {2, 4, 5, 7});
  const std::vector<Datatype*> types = {&int_type(), &int_type()};
  type_create_struct(two, numbers(two_three), numbers(five_seven), types, type);
  expect_contents(type, abi::combiner_struct, {}, {}, {2, 2, 3, 5, 7}, types);
  type_create_resized_c(int_type(), -4, 12, type);
  expect_contents(type, abi::combiner_resized, {}, {}, {-4, 12});
  const Counts ones = {1, 1};
  type_create_subarray(2, numbers(five_seven), numbers(two_three), numbers(ones), abi::order_c, int_type(), type);
  expect_contents(type, abi::combiner_subarray, {2, abi::order_c}, {}, {5, 7, 2, 3, 1, 1});
  const Ints distributions = {abi::distribute_block, abi::distribute_cyclic}, arguments = {3, 2}, grid = {2, 3};
  type_create_darray(6, 4, 2, numbers(five_seven), distributions.data(), arguments.data(), grid.data(), abi::order_c,
                     int_type(), type);
  expect_contents(type, abi::combiner_darray, {6, 4, 2, distributions[0], distributions[1], 3, 2, 2, 3, abi::order_c},
                  {}, {5, 7});
}

TEST(TypeContents, AreUsesOfTheTypesThatAreMade) {
  Datatype *inner = nullptr, *outer = nullptr;
  type_contiguous(2, int_type(), inner);
  type_contiguous(2, *inner, outer);
  EXPECT_EQ(inner->users(), 2);
  int count = 0;
  Datatype* again = nullptr;
  type_get_contents(*outer, 1, 0, 1, &count, nullptr, {&again, 1});
  EXPECT_EQ(again, inner);
  EXPECT_EQ(inner->users(), 3);
  type_free(again);
  type_free(outer);
  EXPECT_EQ(inner->users(), 1);
  type_free(inner);
}

TEST(TypeContents, DoNotExistForPredefinedTypes) {
  int number = 0;
  EXPECT_EQ(code_of([&] { type_get_contents(int_type(), 1, 0, 0, &number, nullptr, {}); }), abi::err_type);
  Datatype* type = &int_type();
  EXPECT_EQ(code_of([&] { type_free(type); }), abi::err_type);
  EXPECT_EQ(type, &int_type());
}

TEST(PredefinedTypes, HaveTheirCTypesSizes) {
  struct Expected {
    int handle;
    Count size, extent;
  };
  const Expected expected[] = {
      {abi::type_char, 1, sizeof(char)},
      {abi::type_wchar, 4, sizeof(wchar_t)},
      {abi::type_long, 8, sizeof(long)},
      {abi::type_c_bool, 1, sizeof(bool)},
      {abi::type_long_double, 16, sizeof(long double)},
      {abi::type_c_long_double_complex, 32, 32},
      {abi::type_float_int, 8, 8},
      {abi::type_double_int, 12, 16},
      {abi::type_long_int, 12, 16},
      {abi::type_2int, 8, 8},
      {abi::type_short_int, 6, 8},
      {abi::type_long_double_int, 20, 32},
      {abi::type_logical, 4, 4},
      {abi::type_2double_precision, 16, 16},
      {abi::type_complex32, 32, 32},
      {abi::type_packed, 1, 1},
      {abi::type_aint, 8, sizeof(Aint)},
  };
  for (const auto& [handle, size, extent] : expected) {
    EXPECT_EQ(predefined(handle).size, size) << predefined(handle).name;
    EXPECT_EQ(predefined(handle).extent, extent) << predefined(handle).name;
  }
  for (const Datatype* type : Datatype::all_predefined()) {
    EXPECT_TRUE(type->predefined && type->committed && type->basic() != nullptr) << type->name;
    EXPECT_EQ(type->name.substr(0, 4), "MPI_");
  }
  EXPECT_EQ(code_of([] { predefined(abi::type_datatype_null); }), abi::err_type);
  EXPECT_EQ(code_of([] { predefined(0); }), abi::err_type);
}

TEST(PredefinedTypes, AreFoundByPrecisionAndSize) {
  Datatype *type = nullptr, *again = nullptr;
  type_create_f90_real(15, 300, type);
  EXPECT_EQ(*type->basic(), Basic::float64);
  type_create_f90_real(15, 300, again);
  EXPECT_EQ(again, type);
  type_create_f90_real(abi::undefined, 37, type);
  EXPECT_EQ(*type->basic(), Basic::float32);
  type_create_f90_real(16, abi::undefined, type);
  EXPECT_EQ(*type->basic(), Basic::float80);
  type_create_f90_complex(30, 10, type);
  EXPECT_EQ(*type->basic(), Basic::complex128);
  type_create_f90_integer(10, type);
  EXPECT_EQ(*type->basic(), Basic::int64);
  EXPECT_EQ(type->external_size(1), 8);
  EXPECT_EQ(code_of([&] { type_create_f90_real(34, 1, type); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { type_create_f90_real(abi::undefined, abi::undefined, type); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { type_create_f90_integer(39, type); }), abi::err_arg);
  type_match_size(abi::typeclass_complex, 16, type);
  EXPECT_EQ(type, &predefined(abi::type_complex16));
  EXPECT_EQ(code_of([&] { type_match_size(abi::typeclass_real, 5, type); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { type_match_size(4, 4, type); }), abi::err_arg);
  type_get_value_index(predefined(abi::type_double), int_type(), type);
  EXPECT_EQ(type, &predefined(abi::type_double_int));
  type_get_value_index(int_type(), predefined(abi::type_double), type);
  EXPECT_EQ(type, nullptr);
}

TEST(Constructors, RefuseWhatTheStandardDoesNotAllow) {
  Datatype* type = nullptr;
  const Ints one = {1}, four = {4}, three = {3}, two = {2}, negative = {-1};
  EXPECT_EQ(code_of([&] { type_contiguous(-1, int_type(), type); }), abi::err_count);
  EXPECT_EQ(code_of([&] { type_vector(1, -1, 1, int_type(), type); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { type_indexed(1, numbers(negative), numbers(one), int_type(), type); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { type_indexed(1, {}, {}, int_type(), type); }), abi::err_arg);
  const std::vector<Datatype*> null = {nullptr};
  EXPECT_EQ(code_of([&] { type_create_struct(1, numbers(one), numbers(one), null, type); }), abi::err_type);
  const auto subarray = [&](int dimensions, const Ints& subsizes, const Ints& starts, int order) {
    return code_of([&] {
      type_create_subarray(dimensions, numbers(four), numbers(subsizes), numbers(starts), order, int_type(), type);
    });
  };
  EXPECT_EQ(subarray(0, one, one, abi::order_c), abi::err_dims);
  EXPECT_EQ(subarray(1, three, two, abi::order_c), abi::err_arg);
  EXPECT_EQ(subarray(1, three, negative, abi::order_c), abi::err_arg);
  EXPECT_EQ(subarray(1, three, one, 99), abi::err_arg);
  const auto darray = [&](int size, int rank, int distribution, int argument, int side) {
    return code_of([&] {
      type_create_darray(size, rank, 1, numbers(four), &distribution, &argument, &side, abi::order_c, int_type(), type);
    });
  };
  EXPECT_EQ(darray(2, 2, abi::distribute_block, default_argument, 2), abi::err_arg);
  EXPECT_EQ(darray(2, 1, abi::distribute_block, 1, 2), abi::err_arg);
  EXPECT_EQ(darray(2, 1, abi::distribute_none, 1, 2), abi::err_arg);
  EXPECT_EQ(darray(3, 1, abi::distribute_cyclic, 1, 2), abi::err_arg);
  EXPECT_EQ(darray(2, 1, 99, 1, 2), abi::err_arg);
  EXPECT_EQ(type, nullptr);
  constexpr Count huge = std::numeric_limits<Count>::max() / 2;
  EXPECT_EQ(code_of([&] { type_contiguous(huge, int_type(), type); }), abi::err_count);
}

// Four billion blocks in three repetitions.
TEST(Constructors, NeedMemoryOnlyForIrregularDisplacements) {
  Datatype *column = nullptr, *plane = nullptr, *cube = nullptr;
  type_vector(1 << 16, 1, 1 << 16, predefined(abi::type_double), column);
  ASSERT_EQ(column->blocks().size(), 1u);
  EXPECT_EQ(column->blocks()[0].number, 1 << 16);
  type_create_hvector(1 << 16, 1, Aint{1} << 35, *column, plane);
  EXPECT_EQ(plane->blocks().size(), 1u);
  type_create_hvector(1 << 16, 1, 8, *column, cube);
  EXPECT_EQ(cube->size, Count{8} << 32);
  EXPECT_EQ(cube->values_in(cube->size), Count{1} << 32);
  std::vector<Count> rows;
  for (Count row = 0; row < 1000; ++row) rows.push_back(7 + 100 * row);
  Datatype* regular = nullptr;
  type_create_indexed_block(std::ssize(rows), 50, numbers(rows), int_type(), regular);
  EXPECT_EQ(regular->blocks().size(), 1u);
  for (Datatype* type : {column, plane, cube, regular}) type_free(type);
}

struct Particle {
  char kind;
  long id;
  double place[3];
};

Datatype* particle_type() {
  const Ints lengths = {1, 1, 3};
  const Counts places = {offsetof(Particle, kind), offsetof(Particle, id), offsetof(Particle, place)};
  const std::vector<Datatype*> types = {&predefined(abi::type_char), &predefined(abi::type_long),
                                        &predefined(abi::type_double)};
  Datatype* type = nullptr;
  type_create_struct(3, numbers(lengths), numbers(places), types, type);
  type_commit(type);
  return type;
}

TEST(External32, HasTheBytesOfTheStandard) {
  Datatype* type = particle_type();
  EXPECT_EQ(type->extent, static_cast<Aint>(sizeof(Particle)));
  const Particle particle{'a', -2, {1, 0.5, -0.0}};
  std::array<unsigned char, 40> bytes{};
  Count position = 1, size = 0;
  pack_external("external32", &particle, 1, *type, bytes.data(), bytes.size(), position);
  EXPECT_EQ(position, 30);
  pack_external_size("external32", 1, *type, size);
  EXPECT_EQ(size, 29);
  const std::array<unsigned char, 40> expected = {0, 'a', 0xff, 0xff, 0xff, 0xfe, 0x3f, 0xf0, 0, 0, 0,   0,
                                                  0, 0,   0x3f, 0xe0, 0,    0,    0,    0,    0, 0, 0x80};
  EXPECT_EQ(bytes, expected);
  Particle copy{};
  position = 1;
  unpack_external("external32", bytes.data(), bytes.size(), position, &copy, 1, *type);
  EXPECT_EQ(std::memcmp(&copy.id, &particle.id, sizeof(Particle) - offsetof(Particle, id)), 0);
  const long large = 1L << 40;
  EXPECT_EQ(code_of([&] {
              position = 0;
              pack_external("external32", &large, 1, predefined(abi::type_long), bytes.data(), 40, position);
            }),
            abi::err_conversion);
  EXPECT_EQ(code_of([&] { pack_external_size("native", 1, *type, size); }), abi::err_arg);
  type_free(type);
}

TEST(External32, HoldsLongDoublesOfAllKinds) {
  using Limits = std::numeric_limits<long double>;
  const long double numbers[] = {0,
                                 -0.0L,
                                 1,
                                 -1.0L / 3,
                                 Limits::max(),
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN()};
  Datatype& type = predefined(abi::type_long_double);
  for (const long double number : numbers) {
    std::array<std::byte, 16> external{}, expected{};
    const auto wide = static_cast<__float128>(number);
    std::memcpy(expected.data(), &wide, 16);
    std::ranges::reverse(expected);
    type.pack_external(&number, 1, external.data());
    EXPECT_EQ(external, expected) << number;
    long double copy = 7;
    type.unpack_external(&copy, 1, external.data());
    EXPECT_EQ(std::memcmp(&copy, &number, 10), 0) << number;
  }
  // A third with binary128's digits is rounded.
  const auto third = static_cast<__float128>(1) / 3;
  std::array<std::byte, 16> external{};
  std::memcpy(external.data(), &third, 16);
  std::ranges::reverse(external);
  long double rounded = 0;
  type.unpack_external(&rounded, 1, external.data());
  EXPECT_EQ(rounded, static_cast<long double>(third));
}

}  // namespace
}  // namespace cohort::mpi
