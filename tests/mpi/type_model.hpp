// SPDX-License-Identifier: Apache-2.0
// Datatypes as the standard defines them: a list of values with displacements, and markers for the bounds. Slow and
// simple, to compare the core's datatypes with.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/core/numbers.hpp"

namespace cohort::mpi {

// A basic value: what a predefined type has one of, and a pair two.
struct ModelValue {
  enum class Form { signed_integer, unsigned_integer, floating, long_double };
  Form form = Form::signed_integer;
  int numbers = 1;  // 2: complex
  Count size = 0;
  Count alignment = 0;
  Count external_size = 0;
};

struct Model {
  struct Entry {
    Aint displacement = 0;
    ModelValue value;
  };
  std::vector<Entry> entries;
  std::vector<Aint> lower_marks;
  std::vector<Aint> upper_marks;
  std::vector<Aint> ends;  // of parts, with their padding

  static Model predefined(int abi_handle);

  void add(const Model& part, Aint displacement);
  void add(const Model& part, Aint displacement, Count number);  // its extent apart
  Model resized(Aint lower_bound, Aint extent) const;

  Aint true_lower_bound() const;
  Aint true_upper_bound() const;
  Aint lower_bound() const;
  Aint upper_bound() const;
  Aint extent() const { return upper_bound() - lower_bound(); }
  Count size() const;
  Count external_size() const;
  bool overlaps() const;  // values share bytes

  Model elements(Count number) const;
};

// `base`: the address of displacement 0.
std::vector<std::byte> packed(const Model& model, const std::byte* base);
void unpack(const Model& model, const std::vector<std::byte>& data, std::byte* base);

// Writes a small number as each value, and returns what external32 must be.
std::vector<std::byte> fill_with_numbers(const Model& model, std::byte* base, std::int64_t first);

}  // namespace cohort::mpi
