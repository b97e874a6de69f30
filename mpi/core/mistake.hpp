// SPDX-License-Identifier: Apache-2.0
// How a function of MPI fails: with an error class of the standard, and a text that names what is wrong.
#pragma once

#include <stdexcept>
#include <string>

#include "mpi/constants.hpp"

namespace cohort::mpi {

// The core's functions throw this; the face that was called gives it to the error handler. `code`: an error class of
// the standard (abi::err_...), or a code that the program has added.
class Mistake : public std::runtime_error {
 public:
  Mistake(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

inline void check(bool holds, int code, const char* text) {
  if (!holds) throw Mistake(code, text);
}

}  // namespace cohort::mpi
