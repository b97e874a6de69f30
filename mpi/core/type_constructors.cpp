// SPDX-License-Identifier: Apache-2.0
// The constructors of MPI 1 and their successors. Arrays of many dimensions are in type_arrays.cpp.
#include "mpi/core/recording.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi {
namespace {

void check_sizes(Count count, Count block_length) {
  require_not_negative(count, abi::err_count, "count");
  require_not_negative(block_length, abi::err_arg, "block length");
}

void check_arrays(Count count, Numbers block_lengths, Numbers displacements) {
  require_not_negative(count, abi::err_count, "count");
  check(count == 0 || (block_lengths && displacements), abi::err_arg,
        "the array of block lengths or of displacements is a null pointer");
  for (Count i = 0; i < count; ++i) {
    const Count length = block_lengths[static_cast<std::size_t>(i)];
    if (length < 0) throw Mistake(abi::err_arg, fmt::format("block length {} is {}, but must be 0 or more", i, length));
  }
}

void check_array(Count count, Count block_length, Numbers displacements) {
  check_sizes(count, block_length);
  check(count == 0 || displacements, abi::err_arg, "the array of displacements is a null pointer");
}

TypeMap vector_map(const Datatype& old, Count count, Count block_length, Aint stride) {
  return old.map.repeated(block_length, old.extent).repeated(count, stride);
}

// length(i) elements at displacements[i] * unit, for each i.
template <class Length>
TypeMap indexed_map(const Datatype& old, Count count, Length&& length, Numbers displacements, Aint unit) {
  TypeMapBuilder builder;
  for (Count i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    builder.add(old.map, product(displacements[place], unit), length(place), old.extent);
  }
  return builder.finish();
}

}  // namespace

void type_contiguous(Number count, Datatype& old, Datatype*& result) {
  require_not_negative(count.value, abi::err_count, "count");
  Recording recording(abi::combiner_contiguous, count.is_wide);
  recording.count(count.value).type(old);
  result = recording.make(old.map.repeated(count.value));
}

void type_vector(Number count, Count block_length, Count stride, Datatype& old, Datatype*& result) {
  check_sizes(count.value, block_length);
  Recording recording(abi::combiner_vector, count.is_wide);
  recording.count(count.value).count(block_length).count(stride).type(old);
  result = recording.make(vector_map(old, count.value, block_length, product(stride, old.extent)));
}

void type_create_hvector(Number count, Count block_length, Aint stride, Datatype& old, Datatype*& result) {
  check_sizes(count.value, block_length);
  Recording recording(abi::combiner_hvector, count.is_wide);
  recording.count(count.value).count(block_length).address(stride).type(old);
  result = recording.make(vector_map(old, count.value, block_length, stride));
}

void type_indexed(Number count, Numbers block_lengths, Numbers displacements, Datatype& old, Datatype*& result) {
  check_arrays(count.value, block_lengths, displacements);
  Recording recording(abi::combiner_indexed, count.is_wide);
  recording.count(count.value).counts(block_lengths, count.value).counts(displacements, count.value).type(old);
  const auto length = [&](std::size_t i) { return block_lengths[i]; };
  result = recording.make(indexed_map(old, count.value, length, displacements, old.extent));
}

void type_create_hindexed(Number count, Numbers block_lengths, Numbers displacements, Datatype& old,
                          Datatype*& result) {
  check_arrays(count.value, block_lengths, displacements);
  Recording recording(abi::combiner_hindexed, count.is_wide);
  recording.count(count.value).counts(block_lengths, count.value).addresses(displacements, count.value).type(old);
  const auto length = [&](std::size_t i) { return block_lengths[i]; };
  result = recording.make(indexed_map(old, count.value, length, displacements, 1));
}

void type_create_indexed_block(Number count, Count block_length, Numbers displacements, Datatype& old,
                               Datatype*& result) {
  check_array(count.value, block_length, displacements);
  Recording recording(abi::combiner_indexed_block, count.is_wide);
  recording.count(count.value).count(block_length).counts(displacements, count.value).type(old);
  const auto length = [&](std::size_t) { return block_length; };
  result = recording.make(indexed_map(old, count.value, length, displacements, old.extent));
}

void type_create_hindexed_block(Number count, Count block_length, Numbers displacements, Datatype& old,
                                Datatype*& result) {
  check_array(count.value, block_length, displacements);
  Recording recording(abi::combiner_hindexed_block, count.is_wide);
  recording.count(count.value).count(block_length).addresses(displacements, count.value).type(old);
  const auto length = [&](std::size_t) { return block_length; };
  result = recording.make(indexed_map(old, count.value, length, displacements, 1));
}

void type_create_struct(Number count, Numbers block_lengths, Numbers displacements, std::span<Datatype* const> types,
                        Datatype*& result) {
  check_arrays(count.value, block_lengths, displacements);
  Recording recording(abi::combiner_struct, count.is_wide);
  recording.count(count.value).counts(block_lengths, count.value).addresses(displacements, count.value);
  TypeMapBuilder builder;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count.value); ++i) {
    if (types[i] == nullptr)
      throw Mistake(abi::err_type, fmt::format("datatype {} of the struct is MPI_DATATYPE_NULL", i));
    builder.add(types[i]->map, displacements[i], block_lengths[i], types[i]->extent);
    recording.type(*types[i]);
  }
  result = recording.make(builder.finish());
}

void type_create_resized(Datatype& old, Aint lower_bound, Aint extent, Datatype*& result) {
  Recording recording(abi::combiner_resized, false);
  recording.address(lower_bound).address(extent).type(old);
  result = recording.make(old.map.resized(lower_bound, extent));
}

void type_create_resized_c(Datatype& old, Count lower_bound, Count extent, Datatype*& result) {
  Recording recording(abi::combiner_resized, true);
  recording.address(lower_bound).address(extent).type(old);
  result = recording.make(old.map.resized(lower_bound, extent));
}

void type_dup(Datatype& old, Datatype*& result) {
  Recording recording(abi::combiner_dup, false);
  recording.type(old);
  auto copy = Ref<Datatype>::adopt(recording.make(old.map));
  copy->committed = old.committed;
  old.attributes.copy_to(old, copy->attributes);
  result = copy.leak();
}

}  // namespace cohort::mpi
