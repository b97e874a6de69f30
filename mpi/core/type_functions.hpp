// SPDX-License-Identifier: Apache-2.0
// MPI's functions for datatypes, for packing, and for counting what a message holds.
#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/numbers.hpp"
#include "mpi/core/status.hpp"

namespace cohort::mpi {

// A count of a constructor, int or MPI_Count: MPI_Type_get_contents tells which of the two forms was called.
struct Number {
  template <std::integral T>
  Number(T number) : value(number), is_wide(sizeof number > sizeof(int)) {}  // NOLINT: implicit for both forms

  Count value;
  bool is_wide;
};

// Constructors. Negative counts and null types in an array are mistakes.
void type_contiguous(Number count, Datatype& old, Datatype*& result);
void type_vector(Number count, Count block_length, Count stride, Datatype& old, Datatype*& result);
void type_create_hvector(Number count, Count block_length, Aint stride, Datatype& old, Datatype*& result);
void type_indexed(Number count, Numbers block_lengths, Numbers displacements, Datatype& old, Datatype*& result);
void type_create_hindexed(Number count, Numbers block_lengths, Numbers displacements, Datatype& old, Datatype*& result);
void type_create_indexed_block(Number count, Count block_length, Numbers displacements, Datatype& old,
                               Datatype*& result);
void type_create_hindexed_block(Number count, Count block_length, Numbers displacements, Datatype& old,
                                Datatype*& result);
void type_create_struct(Number count, Numbers block_lengths, Numbers displacements, std::span<Datatype* const> types,
                        Datatype*& result);
void type_create_subarray(int dimensions, Numbers sizes, Numbers subsizes, Numbers starts, int order, Datatype& old,
                          Datatype*& result);
void type_create_darray(int size, int rank, int dimensions, Numbers global_sizes, const int* distributions,
                        const int* arguments, const int* process_grid, int order, Datatype& old, Datatype*& result);
void type_create_resized(Datatype& old, Aint lower_bound, Aint extent, Datatype*& result);
void type_create_resized_c(Datatype& old, Count lower_bound, Count extent, Datatype*& result);
void type_dup(Datatype& old, Datatype*& result);

// Predefined types: nobody frees them.
void type_create_f90_real(int precision, int range, Datatype*& result);
void type_create_f90_complex(int precision, int range, Datatype*& result);
void type_create_f90_integer(int range, Datatype*& result);
void type_match_size(int type_class, int size, Datatype*& result);
void type_get_value_index(Datatype& value, Datatype& index, Datatype*& pair);  // null: there is none

void type_commit(Datatype*& type);
void type_free(Datatype*& type);

void type_size(Datatype& type, Count& size);
void type_get_extent(Datatype& type, Count& lower_bound, Count& extent);
void type_get_true_extent(Datatype& type, Count& lower_bound, Count& extent);

// The forms without large counts throw Mistake(err_type) for a type that a _c function has made.
void type_get_envelope(Datatype& type, int& integers, int& addresses, int& types, int& combiner);
void type_get_envelope_c(Datatype& type, Count& integers, Count& addresses, Count& large_counts, Count& types,
                         int& combiner);
// Each type that they give is a use for the program, unless it is predefined.
void type_get_contents(Datatype& type, Count max_integers, Count max_addresses, Count max_types, int* integers,
                       Aint* addresses, std::span<Datatype*> types);
void type_get_contents_c(Datatype& type, Count max_integers, Count max_addresses, Count max_large_counts,
                         Count max_types, int* integers, Aint* addresses, Count* large_counts,
                         std::span<Datatype*> types);

void get_address(const void* location, Aint& address);
Aint aint_add(Aint base, Aint displacement);
Aint aint_diff(Aint address, Aint from);

// Packed data are the elements' data in the order of the type map, as they are in memory. `position` is a place in the
// packed buffer, and moves behind what was packed or unpacked.
void pack(const void* in, Count count, Datatype& type, void* out, Count out_bytes, Count& position, Communicator& on);
void unpack(const void* in, Count in_bytes, Count& position, void* out, Count count, Datatype& type, Communicator& on);
void pack_size(Count count, Datatype& type, Communicator& on, Count& size);
// The only representation is "external32".
void pack_external(std::string_view representation, const void* in, Count count, Datatype& type, void* out,
                   Count out_bytes, Count& position);
void unpack_external(std::string_view representation, const void* in, Count in_bytes, Count& position, void* out,
                     Count count, Datatype& type);
void pack_external_size(std::string_view representation, Count count, Datatype& type, Count& size);

// abi::undefined if the message does not hold whole elements, or whole values.
void get_count(const Status& status, Datatype& type, Count& count);
void get_elements(const Status& status, Datatype& type, Count& count);
void status_set_elements(Status& status, Datatype& type, Count count);

inline void type_size_x(Datatype& type, Count& size) { type_size(type, size); }
inline void type_get_extent_x(Datatype& type, Count& lower_bound, Count& extent) {
  type_get_extent(type, lower_bound, extent);
}
inline void type_get_true_extent_x(Datatype& type, Count& lower_bound, Count& extent) {
  type_get_true_extent(type, lower_bound, extent);
}
inline void get_elements_x(const Status& status, Datatype& type, Count& count) { get_elements(status, type, count); }
inline void status_set_elements_x(Status& status, Datatype& type, Count count) {
  status_set_elements(status, type, count);
}

}  // namespace cohort::mpi
