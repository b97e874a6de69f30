// SPDX-License-Identifier: Apache-2.0
// How a function of the C interface runs: what is thrown becomes an error code, and this thread's latest error.
#pragma once

#include <string>

#include "c/handles.hpp"
#include "cohort/detail/call.hpp"

namespace cohort::c {

// The line that cohort_here() has named for this call, or else the name of the function.
Where place_of_call(const char* function);

// Makes the exception that is being handled this thread's latest error. Returns its code.
int keep_error(const Where& where) noexcept;

// Throws Error(argument).
[[noreturn]] void refuse(const Where& where, const std::string& what);

template <class Body>
int guarded(const char* function, const Body& body) {
  const Where where = place_of_call(function);
  try {
    body(where);
    return COHORT_OK;
  } catch (...) {
    return keep_error(where);
  }
}

// Throws Error(argument) for a null pointer.
template <class T>
T& existing(T* pointer, const char* what, const Where& where) {
  if (pointer == nullptr) refuse(where, std::string(what) + " is a null pointer");
  return *pointer;
}

}  // namespace cohort::c
