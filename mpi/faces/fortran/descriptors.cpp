// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/fortran/descriptors.hpp"

#include <array>

namespace cohort::mpi::faces::fortran {
namespace {

std::ptrdiff_t unit_bytes(const Descriptor& array) {
  return array.span != 0 ? array.span : static_cast<std::ptrdiff_t>(array.element_bytes);
}

}  // namespace

bool is_contiguous(const Descriptor& array) {
  auto expected = static_cast<std::ptrdiff_t>(array.element_bytes);
  for (int i = 0; i < array.rank; ++i) {
    const std::ptrdiff_t extent = array.extent(i);
    if (extent > 1 && array.dimensions[i].stride * unit_bytes(array) != expected) return false;
    expected *= extent;
  }
  return true;
}

std::vector<Aint> places_of_elements(const Descriptor& array, Count n) {
  std::vector<Aint> places;
  places.reserve(static_cast<std::size_t>(n));
  std::array<std::ptrdiff_t, 15> index{};
  Aint place = 0;
  while (static_cast<Count>(places.size()) < n) {
    places.push_back(place);
    int i = 0;
    for (; i < array.rank; ++i) {
      const Aint step = array.dimensions[i].stride * unit_bytes(array);
      place += step;
      if (++index[static_cast<std::size_t>(i)] < array.extent(i)) break;
      place -= step * array.extent(i);
      index[static_cast<std::size_t>(i)] = 0;
    }
    if (i == array.rank) break;
  }
  check(static_cast<Count>(places.size()) == n, abi::err_count, "the array has fewer elements than the count says");
  return places;
}

}  // namespace cohort::mpi::faces::fortran
