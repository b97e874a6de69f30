// SPDX-License-Identifier: Apache-2.0
#include "runtime/observe/doing.hpp"

namespace cohort {

void Doing::Call::add(const Awaited& message) {
  if (awaited.size() == most_awaited) {
    partial = true;
  } else {
    awaited.push_back(message);
  }
}

}  // namespace cohort
