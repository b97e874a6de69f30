// SPDX-License-Identifier: Apache-2.0
// Choice buffers as gfortran's descriptors of arrays, which programs compiled with MPICH's module mpi_f08 pass.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/core/type_functions.hpp"
#include "mpi/faces/common/handles.hpp"
#include "mpi/faces/fortran/mpich.hpp"
#include "mpi/faces/fortran/values.hpp"

namespace cohort::mpi::faces::fortran {

// gfortran's, since version 8. A scalar has rank 0.
struct Descriptor {
  struct Dimension {
    std::ptrdiff_t stride;  // in units of span
    std::ptrdiff_t lower_bound;
    std::ptrdiff_t upper_bound;
  };
  void* address;
  std::size_t offset;
  std::size_t element_bytes;
  int version;
  signed char rank;
  signed char type;
  short attribute;
  std::ptrdiff_t span;  // bytes; 0: as element_bytes
  Dimension dimensions[15];

  std::ptrdiff_t extent(int i) const { return dimensions[i].upper_bound - dimensions[i].lower_bound + 1; }
};

bool is_contiguous(const Descriptor& array);
// Where the first n elements of the array are, from its address on.
std::vector<Aint> places_of_elements(const Descriptor& array, Count n);

template <class F>
void* address_of(const Descriptor& array) {
  if (array.address == &MPIR_F08_MPI_IN_PLACE) return in_place;
  return array.address == &MPIR_F08_MPI_BOTTOM ? nullptr : choice<F>(array.address);
}

// The address as mpif.h has it.
template <class F>
const void* sent(const Descriptor& array) {
  return array.address == &MPIR_F08_MPI_IN_PLACE ? F::in_place() : array.address;
}

// Of a buffer for which MPI describes elements at several displacements.
template <class F>
void* contiguous(const Descriptor& array) {
  void* const address = address_of<F>(array);
  check(is_contiguous(array), abi::err_buffer, "the array is not contiguous, which this argument must be");
  return address;
}

// The elements of a buffer. If they are not contiguous, a datatype says where they are.
template <class F>
class Section {
 public:
  Section(const Descriptor& array, Count count, typename F::Handle type)
      : address_(address_of<F>(array)), count_(count), type_(ignorable<F, Datatype>(type)), handle_(type) {
    if (count <= 0 || type_ == nullptr || is_contiguous(array)) return;
    const Count bytes = type_->size * count;
    const auto element = static_cast<Count>(array.element_bytes);
    check(type_->size > 0 && element % type_->size == 0 && bytes % element == 0, abi::err_buffer,
          "the array is not contiguous, and its elements are not elements of the datatype");
    const std::vector<Aint> places = places_of_elements(array, bytes / element);
    type_create_hindexed_block(static_cast<Count>(places.size()), element / type_->size, Numbers(places.data()), *type_,
                               made_);
    type_commit(made_);
    type_ = made_;
    count_ = 1;
  }
  Section(const Section&) = delete;
  ~Section() {
    if (made_ != nullptr) type_free(made_);
  }

  void* address() const { return address_; }
  Count count() const { return count_; }
  Datatype& type() const { return type_ != nullptr ? *type_ : in<F, Datatype>(handle_); }
  Datatype* type_or_null() const { return type_; }

 private:
  void* address_;
  Count count_;
  Datatype* type_;
  typename F::Handle handle_;
  Datatype* made_ = nullptr;
};

}  // namespace cohort::mpi::faces::fortran
