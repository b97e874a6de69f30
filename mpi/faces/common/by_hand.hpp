// SPDX-License-Identifier: Apache-2.0
// Functions that functions.table marks as written by hand, each named as in MPI. F is the face.
#pragma once

#include <cstring>
#include <optional>

#include "mpi/core/info_functions.hpp"
#include "mpi/core/type_functions.hpp"
#include "mpi/faces/common/guard.hpp"
#include "mpi/faces/common/handle_numbers.hpp"
#include "mpi/faces/common/predefined.hpp"
#include "mpi/faces/common/statuses.hpp"
#include "mpi/faces/common/values.hpp"

namespace cohort::mpi::faces::by_hand {

// The beginning: from here on, the face has handles of communicators.
template <class F>
int init(const char* name, int* /*argc*/, char*** /*argv*/) {
  return call_any_time<F>(name, no_communicator, [] {
    mpi::init();
    F::open();
  });
}
template <class F>
int init_thread(const char* name, int* /*argc*/, char*** /*argv*/, int required, int* provided) {
  return call_any_time<F>(name, no_communicator, [&] {
    mpi::init_thread(F::level.to_core(required), number_out(F::level, provided));
    F::open();
  });
}
template <class F>
int finalize(const char* name) {
  return call<F>(name, no_communicator, [] { mpi::finalize(); });
}

template <class F>
int query_cuda_support(const char* /*name*/) {
  return 0;
}
template <class F>
int query_ze_support(const char* /*name*/) {
  return 0;
}
template <class F>
int query_hip_support(const char* /*name*/) {
  return 0;
}

// MPI 1's functions about extents.
template <class F>
int type_extent(const char* name, typename F::Handle type, Aint* extent) {
  return call<F>(name, no_communicator, [&] {
    Count lower_bound = 0;
    type_get_extent(in<F, Datatype>(type), lower_bound, out(extent));
  });
}
template <class F>
int type_lb(const char* name, typename F::Handle type, Aint* displacement) {
  return call<F>(name, no_communicator, [&] {
    Count extent = 0;
    type_get_extent(in<F, Datatype>(type), out(displacement), extent);
  });
}
template <class F>
int type_ub(const char* name, typename F::Handle type, Aint* displacement) {
  return call<F>(name, no_communicator, [&] {
    Count lower_bound = 0;
    Count extent = 0;
    type_get_extent(in<F, Datatype>(type), lower_bound, extent);
    out(displacement) = lower_bound + extent;
  });
}

// A structure whose elements may be MPI_LB and MPI_UB: they are left out, and state its bounds.
void make_struct(Number count, Numbers lengths, Numbers displacements, std::span<Datatype* const> types,
                 Datatype*& result);

template <class F, class Length, class Displacement>
int type_create_struct(const char* name, Length count, const Length* lengths, const Displacement* displacements,
                       const typename F::Handle* types, typename F::Handle* result) {
  return call<F>(name, no_communicator, [&] {
    make_struct(count, Numbers(lengths), Numbers(displacements), handles_in<F, Datatype>(types, count),
                made<F, Datatype>(result));
  });
}
template <class F>
int type_struct(const char* name, int count, const int* lengths, const Aint* displacements,
                const typename F::Handle* types, typename F::Handle* result) {
  return type_create_struct<F>(name, count, lengths, displacements, types, result);
}

// Where the integers that describe a type hold numbers of the face: an order, at the end; distributions, and behind
// them their arguments.
struct Described {
  std::size_t order = 0;  // 0: none
  std::size_t distributions = 0;
  std::size_t dimensions = 0;
};
Described described(const Datatype& type);

template <class F>
void describe_in_face(const Datatype& type, int* integers) {
  const Described places = described(type);
  if (places.order != 0) integers[places.order] = F::order.to_face(integers[places.order]);
  for (std::size_t i = 0; i < places.dimensions; ++i) {
    int* const number = integers + places.distributions + i;
    number[0] = F::distribution.to_face(number[0]);
    number[places.dimensions] = Arguments<F>::to_face(number[places.dimensions]);
  }
}

template <class F>
int type_get_contents(const char* name, typename F::Handle type, int max_integers, int max_addresses, int max_types,
                      int* integers, Aint* addresses, typename F::Handle* types) {
  return call<F>(name, no_communicator, [&] {
    Datatype& of = in<F, Datatype>(type);
    mpi::type_get_contents(of, max_integers, max_addresses, max_types, integers, addresses,
                           handles_made<F, Datatype>(types, max_types));
    describe_in_face<F>(of, integers);
  });
}
template <class F>
int type_get_contents_c(const char* name, typename F::Handle type, Count max_integers, Count max_addresses,
                        Count max_counts, Count max_types, int* integers, Aint* addresses, Count* counts,
                        typename F::Handle* types) {
  return call<F>(name, no_communicator, [&] {
    Datatype& of = in<F, Datatype>(type);
    mpi::type_get_contents_c(of, max_integers, max_addresses, max_counts, max_types, integers, addresses, counts,
                             handles_made<F, Datatype>(types, max_types));
    describe_in_face<F>(of, integers);
  });
}

// The public fields of a status.
template <class F>
int field_of(const char* name, const typename F::Status* status, int F::Status::*field, int* value) {
  return call_any_time<F>(name, no_communicator, [&] { out(value) = existing<F>(status).*field; });
}
template <class F>
int set_field(const char* name, typename F::Status* status, int F::Status::*field, int value) {
  return call_any_time<F>(name, no_communicator, [&] {
    existing<F>(status);
    status->*field = value;
  });
}
template <class F>
int status_get_source(const char* name, const typename F::Status* status, int* source) {
  return field_of<F>(name, status, &F::Status::MPI_SOURCE, source);
}
template <class F>
int status_get_tag(const char* name, const typename F::Status* status, int* tag) {
  return field_of<F>(name, status, &F::Status::MPI_TAG, tag);
}
template <class F>
int status_get_error(const char* name, const typename F::Status* status, int* error) {
  return field_of<F>(name, status, &F::Status::MPI_ERROR, error);
}
template <class F>
int status_set_source(const char* name, typename F::Status* status, int source) {
  return set_field<F>(name, status, &F::Status::MPI_SOURCE, source);
}
template <class F>
int status_set_tag(const char* name, typename F::Status* status, int tag) {
  return set_field<F>(name, status, &F::Status::MPI_TAG, tag);
}
template <class F>
int status_set_error(const char* name, typename F::Status* status, int error) {
  return set_field<F>(name, status, &F::Status::MPI_ERROR, error);
}

// Fortran's statuses are the same words.
template <class F>
int status_c2f(const char* name, const typename F::Status* status, int* fortran) {
  return call_any_time<F>(name, no_communicator,
                          [&] { std::memcpy(&out(fortran), &existing<F>(status), sizeof(typename F::Status)); });
}
template <class F>
int status_f2c(const char* name, const int* fortran, typename F::Status* status) {
  return call_any_time<F>(name, no_communicator, [&] {
    existing<F>(status);
    std::memcpy(status, &out(fortran), sizeof *status);
  });
}

// What MPI's ABI is here.
template <class F>
int get_version(const char* name, int* version, int* subversion) {
  return call_any_time<F>(name, no_communicator, [&] {
    out(version) = F::version;
    out(subversion) = F::subversion;
  });
}
template <class F>
int abi_get_version(const char* name, int* major, int* minor) {
  return call_any_time<F>(name, no_communicator, [&] {
    out(major) = 1;
    out(minor) = 0;
  });
}
Info& abi_info();
Info& abi_fortran_info();
template <class F>
int abi_get_info(const char* name, typename F::Handle* info) {
  return call_any_time<F>(name, no_communicator, [&] { info_dup(abi_info(), made<F, Info>(info)); });
}
template <class F>
int abi_get_fortran_info(const char* name, typename F::Handle* info) {
  return call_any_time<F>(name, no_communicator, [&] { info_dup(abi_fortran_info(), made<F, Info>(info)); });
}
[[noreturn]] void refuse_fortran_change();
template <class F>
int abi_set_fortran_info(const char* name, typename F::Handle /*info*/) {
  return call_any_time<F>(name, no_communicator, refuse_fortran_change);
}
void fortran_booleans(int size, void* logical_true, void* logical_false, int& is_set);
template <class F>
int abi_get_fortran_booleans(const char* name, int size, void* logical_true, void* logical_false, int* is_set) {
  return call_any_time<F>(name, no_communicator,
                          [&] { fortran_booleans(size, logical_true, logical_false, out(is_set)); });
}
template <class F>
int abi_set_fortran_booleans(const char* name, int /*size*/, void* /*logical_true*/, void* /*logical_false*/) {
  return call_any_time<F>(name, no_communicator, refuse_fortran_change);
}

// The tool interface, which has no variables.
template <class F>
int t_init_thread(const char* /*name*/, int /*required*/, int* provided) {
  *provided = F::level.to_face(abi::thread_multiple);
  return abi::success;
}
template <class F>
int t_finalize(const char* /*name*/) {
  return abi::success;
}
template <class F>
int t_pvar_session_create(const char* /*name*/, void** session) {
  static char one;
  *session = &one;
  return abi::success;
}
template <class F>
int t_pvar_session_free(const char* /*name*/, void** session) {
  *session = nullptr;
  return abi::success;
}

}  // namespace cohort::mpi::faces::by_hand

namespace cohort::mpi::faces {

// The integer of a handle, and the handle of an integer.
template <class F, class T>
int integer_of(typename F::Handle handle) {
  Object* const object = F::find(facts_of<T>.kind, handle);
  return object != nullptr ? number_of(*object) : F::null_number(facts_of<T>.kind);
}
template <class F, class T>
typename F::Handle handle_of_integer(int number) {
  Object* const object = F::find_number(facts_of<T>.kind, number);
  return object != nullptr ? F::handle(*object) : F::null(facts_of<T>.kind);
}

}  // namespace cohort::mpi::faces
