// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace examples {

// What the user gave is wrong: one line that says what and where. The program ends with exit code 2.
class BadInput : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace examples
