// SPDX-License-Identifier: Apache-2.0
// MPI's type map: an element's values with their displacements, in order, and its bounds.
#pragma once

#include <algorithm>

#include "mpi/core/layout.hpp"
#include "mpi/core/signature.hpp"

namespace cohort::mpi {

// Addresses lower ... upper - 1, of the element's.
struct Bounds {
  Aint lower = 0;
  Aint upper = 0;
};

class TypeMap {
 public:
  TypeMap();  // without values
  explicit TypeMap(const Value& value);

  Placed data;
  SignatureRef signature;
  Bounds true_bounds;      // of the data
  Bounds padded_bounds;    // of the data, and of the padding in its parts
  bool is_marked = false;  // MPI_Type_create_resized has set bounds, here or in a part of a struct
  Bounds marks;
  Count alignment = 1;  // the largest of the values'

  bool has_data() const { return data.layout != nullptr; }
  Aint lower_bound() const { return is_marked ? marks.lower : true_bounds.lower; }
  // The span is padded to the alignment, as a compiler pads a struct; marks are exact. The padding of the last part
  // counts in it: by the standard's words it need not, but the other implementations agree, and an array of parts is
  // laid out so.
  Aint extent() const;

  TypeMap repeated(Count number, Aint stride) const;
  TypeMap repeated(Count number) const { return repeated(number, extent()); }
  TypeMap resized(Aint lower_bound, Aint extent) const;
};

// A type map of parts that follow each other.
class TypeMapBuilder {
 public:
  void add(const TypeMap& part, Aint displacement, Count number, Aint stride);
  void add(const TypeMap& part, Aint displacement, Count number) { add(part, displacement, number, part.extent()); }
  TypeMap finish();

 private:
  TypeMap result_;
  Assembly data_;
  Signature signature_;
};

}  // namespace cohort::mpi
