// SPDX-License-Identifier: Apache-2.0
// Values that a program caches on communicators and datatypes under keys that it makes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "mpi/core/callbacks.hpp"
#include "mpi/core/object.hpp"

namespace cohort::mpi {

// A value is an address, or an integer of Fortran. C sees a Fortran value through a pointer to it, Fortran a C value
// as the integer of its address.
struct AttributeValue {
  std::intptr_t value = 0;
  bool of_fortran = false;
  // Where the object keeps the value until it is changed: C's pointer to a Fortran value. The functions that get an
  // attribute set it; the others ignore it.
  const std::intptr_t* kept_at = nullptr;
};

struct Keyval;

// The attributes of one object. Keys are numbers from make_keyval(). The predefined attributes of communicators
// (abi::tag_ub, ...) are not here but in attribute_functions.hpp.
class Attributes {
 public:
  // Calls the delete function of a value that was there; if it returns an error, the value stays. Throws Mistake.
  void set(Object& object, int keyval, AttributeValue value);
  // nullptr if there is none. The value stays where it is until it is changed.
  const AttributeValue* get(int keyval) const;
  // Does nothing if there is no such attribute. If the delete function returns an error, the attribute stays, and
  // Mistake is thrown with the error.
  void remove(Object& object, int keyval);
  // Calls each copy function, in the order of the settings. If one returns an error, throws Mistake with it.
  void copy_to(Object& object, Attributes& copies) const;
  // Calls the delete functions, in the reverse order of the setting. Stops at the first error.
  void remove_all(Object& object);

 private:
  struct Entry {
    AttributeValue value;
    std::uint64_t set = 0;  // its place in the order of the settings
    std::shared_ptr<const Keyval> key;
  };
  struct Attribute {
    int keyval = 0;
    Entry entry;
  };
  std::vector<Attribute> in_order() const;
  void put(int keyval, AttributeValue value, std::shared_ptr<const Keyval> key);
  std::map<int, Entry> entries_;
};

// The kind of the objects that may have the attribute: communicators or datatypes.
int make_keyval(Kind of, CopyAttribute copy, DeleteAttribute remove, void* extra_state);
void free_keyval(Kind of, int& keyval);  // it ends when no attribute has it any more
// Throws Mistake(err_keyval) unless objects of this kind may have the attribute.
void check_keyval(Kind of, int keyval);

}  // namespace cohort::mpi
