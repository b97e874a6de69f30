// SPDX-License-Identifier: Apache-2.0
// The measurements of one run of the benchmark, from its command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace cohort::bench {

struct Task {
  std::string operation;
  std::vector<std::string> algorithms;  // "chosen" is the runtime's choice
};

enum class Form { lines, table, json };

struct Plan {
  std::vector<Task> tasks;
  std::size_t least_bytes = 8, most_bytes = 1 << 20;
  Patience patience;  // for each size
  Form form = Form::lines;
  bool progress = false;
  bool every_algorithm = false;  // those that can't do this are left out, the others sorted: the fastest first
};

// "--min=8 --max=1048576 --seconds=1 --repetitions=5 --warm-up=2 --calls=1 --pause=0 [--span | --together]
// --json --table --progress --every-algorithm OPERATION[@ALGORITHM[@ALGORITHM ...]] ...".
// Throws std::invalid_argument, whose text says what is wrong.
Plan read_plan(const std::vector<std::string>& words);

}  // namespace cohort::bench
