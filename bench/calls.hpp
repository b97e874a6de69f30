// SPDX-License-Identifier: Apache-2.0
// The calls that are measured.
#pragma once

#include <span>
#include <string_view>

#include "cohort/cohort.hpp"

namespace cohort::bench {

// The computation of a call beside its communication.
struct Work {
  std::size_t steps = 0;  // of each piece
};

// The buffers of a call.
struct Vectors {
  std::span<float> in, out;              // whole
  std::span<float> block_in, block_out;  // this rank's share
  Work work = {};
};

struct Call {
  void (*run)(const Group& group, const Vectors& vectors);
  bool sized = true;           // false: the call moves no data
  bool divided = false;        // the vector is a block for each rank
  double messages = 1;         // the time of a call is divided by this
  bool between_pairs = false;  // needs two ranks
  bool computes = false;
};

// The call of an operation of operations.hpp.
Call call_of(std::string_view operation);

}  // namespace cohort::bench
