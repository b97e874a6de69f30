// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/common/by_hand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cohort::mpi::faces::by_hand {

void make_struct(Number count, Numbers lengths, Numbers displacements, std::span<Datatype* const> types,
                 Datatype*& result) {
  const Datatype* const lower = &lower_bound_marker();
  const Datatype* const upper = &upper_bound_marker();
  if (std::ranges::none_of(types, [&](const Datatype* type) { return type == lower || type == upper; })) {
    return type_create_struct(count, lengths, displacements, types, result);
  }
  std::vector<Count> kept_lengths;
  std::vector<Aint> kept_displacements;
  std::vector<Datatype*> kept_types;
  std::optional<Aint> lower_bound;
  std::optional<Aint> upper_bound;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Aint at = displacements[i];
    if (types[i] == lower) {
      lower_bound = std::min(lower_bound.value_or(at), at);
    } else if (types[i] == upper) {
      upper_bound = std::max(upper_bound.value_or(at), at);
    } else {
      kept_lengths.push_back(lengths[i]);
      kept_displacements.push_back(at);
      kept_types.push_back(types[i]);
    }
  }
  Datatype* within = nullptr;
  type_create_struct(static_cast<int>(kept_types.size()), Numbers(kept_lengths.data()),
                     Numbers(kept_displacements.data()), kept_types, within);
  const Aint begin = lower_bound.value_or(within->lower_bound);
  const Aint end = upper_bound.value_or(within->lower_bound + within->extent);
  type_create_resized(*within, begin, end - begin, result);
  type_free(within);
}

Described described(const Datatype& type) {
  const auto& integers = type.recipe.integers;
  const bool is_large = !type.recipe.counts.empty();  // sizes are among the counts
  if (type.recipe.combiner == abi::combiner_subarray) return {integers.size() - 1, 0, 0};
  if (type.recipe.combiner != abi::combiner_darray) return {};
  const auto dimensions = static_cast<std::size_t>(integers[2]);
  return {integers.size() - 1, is_large ? 3 : 3 + dimensions, dimensions};
}

Info& abi_info() {
  static Info& info = [&]() -> Info& {
    Info& made = make_predefined<Info>();
    for (const char* key : {"mpi_aint_size", "mpi_count_size", "mpi_offset_size"}) made.set(key, "8");
    return made;
  }();
  return info;
}

Info& abi_fortran_info() {
  static Info& info = [&]() -> Info& {
    Info& made = make_predefined<Info>();
    for (const char* key : {"mpi_logical_size", "mpi_integer_size", "mpi_real_size"}) made.set(key, "4");
    made.set("mpi_double_precision_size", "8");
    // The datatypes of the optional types: the core has all of them.
    for (const char* type : {"logical1", "logical2", "logical4", "logical8", "logical16", "integer1", "integer2",
                             "integer4", "integer8", "integer16", "real2", "real4", "real8", "real16", "complex4",
                             "complex8", "complex16", "complex32", "double_complex"}) {
      made.set(fmt::format("mpi_{}_supported", type), "true");
    }
    return made;
  }();
  return info;
}

void refuse_fortran_change() {
  throw Mistake(abi::err_abi, "Fortran's types are those of gfortran here, and can't be changed");
}

void fortran_booleans(int size, void* logical_true, void* logical_false, int& is_set) {
  if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16) {
    throw Mistake(abi::err_arg, fmt::format("Fortran has no logical of {} bytes", size));
  }
  check(logical_true != nullptr && logical_false != nullptr, abi::err_arg, "a pointer to a logical is null");
  const auto bytes = static_cast<std::size_t>(size);
  std::memset(logical_false, 0, bytes);
  std::memset(logical_true, 0, bytes);
  *static_cast<char*>(logical_true) = 1;  // least byte first
  is_set = 1;
}

}  // namespace cohort::mpi::faces::by_hand
