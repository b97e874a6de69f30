// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/type_functions.hpp"

#include <fmt/format.h>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

void require_no_large_counts(const Datatype& type) {
  check(type.recipe.counts.empty(), abi::err_type,
        "the datatype was made with large counts: call the function whose name ends in _c");
}

struct Space {
  Count integers, addresses, large_counts, types;
};

template <class T>
void copy_part(const std::vector<T>& part, Count space, T* to, const char* what) {
  if (static_cast<Count>(part.size()) > space)
    throw Mistake(abi::err_arg, fmt::format("there are {} {}, but space for {}", part.size(), what, space));
  std::copy(part.begin(), part.end(), to);
}

void copy_contents(const Datatype& type, const Space& space, int* integers, Aint* addresses, Count* large_counts,
                   std::span<Datatype*> types) {
  const Recipe& recipe = type.recipe;
  check(recipe.combiner != abi::combiner_named, abi::err_type, "a predefined datatype has no contents");
  copy_part(recipe.integers, space.integers, integers, "integers");
  copy_part(recipe.addresses, space.addresses, addresses, "addresses");
  copy_part(recipe.counts, space.large_counts, large_counts, "large counts");
  if (static_cast<Count>(recipe.types.size()) > space.types)
    throw Mistake(abi::err_arg,
                  fmt::format("there are {} datatypes, but space for {}", recipe.types.size(), space.types));
  for (std::size_t i = 0; i < recipe.types.size(); ++i) types[i] = handle_for_program(*recipe.types[i]);
}

}  // namespace

void type_commit(Datatype*& type) { type->committed = true; }

void type_free(Datatype*& type) {
  check(!type->predefined, abi::err_type, "a predefined datatype can't be freed");
  // Here an error of a delete function can still be reported.
  if (type->users() == 1) type->attributes.remove_all(*type);
  free_handle(type);
}

void type_size(Datatype& type, Count& size) { size = type.size; }

void type_get_extent(Datatype& type, Count& lower_bound, Count& extent) {
  lower_bound = type.lower_bound;
  extent = type.extent;
}

void type_get_true_extent(Datatype& type, Count& lower_bound, Count& extent) {
  lower_bound = type.true_lower_bound;
  extent = type.true_extent;
}

void type_get_envelope(Datatype& type, int& integers, int& addresses, int& types, int& combiner) {
  require_no_large_counts(type);
  integers = static_cast<int>(type.recipe.integers.size());
  addresses = static_cast<int>(type.recipe.addresses.size());
  types = static_cast<int>(type.recipe.types.size());
  combiner = type.recipe.combiner;
}

void type_get_envelope_c(Datatype& type, Count& integers, Count& addresses, Count& large_counts, Count& types,
                         int& combiner) {
  integers = static_cast<Count>(type.recipe.integers.size());
  addresses = static_cast<Count>(type.recipe.addresses.size());
  large_counts = static_cast<Count>(type.recipe.counts.size());
  types = static_cast<Count>(type.recipe.types.size());
  combiner = type.recipe.combiner;
}

void type_get_contents(Datatype& type, Count max_integers, Count max_addresses, Count max_types, int* integers,
                       Aint* addresses, std::span<Datatype*> types) {
  require_no_large_counts(type);
  copy_contents(type, {max_integers, max_addresses, 0, max_types}, integers, addresses, nullptr, types);
}

void type_get_contents_c(Datatype& type, Count max_integers, Count max_addresses, Count max_large_counts,
                         Count max_types, int* integers, Aint* addresses, Count* large_counts,
                         std::span<Datatype*> types) {
  const Space space{max_integers, max_addresses, max_large_counts, max_types};
  copy_contents(type, space, integers, addresses, large_counts, types);
}

void get_address(const void* location, Aint& address) { address = reinterpret_cast<Aint>(location); }

// Addresses wrap around: differences of two halves of memory exceed an Aint.
Aint aint_add(Aint base, Aint displacement) {
  return static_cast<Aint>(static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(displacement));
}

Aint aint_diff(Aint address, Aint from) {
  return static_cast<Aint>(static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(from));
}

}  // namespace cohort::mpi
