// SPDX-License-Identifier: Apache-2.0
// The output of a benchmark, at rank 0.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "bench/plan.hpp"

namespace cohort::bench {

struct Row {
  std::string_view operation;
  Rank ranks = 0;
  std::size_t bytes = 0;
  Measurement measured;
  bool chosen = true;  // the runtime has chosen the algorithm
};

// Tab-separated lines, or the lines of a table with a heading, each as soon as it is known; or one JSON object.
class Report {
 public:
  Report(const Plan& plan, const Process& self);
  // Call it before a size of an operation is measured, which takes long with many algorithms. The table shows the size,
  // and later which algorithm is the runtime's choice.
  void begin(const Task& task, std::size_t bytes);
  void add(const Row& row);
  void end();

 private:
  Form form_;
  std::string mode_;  // of the job and of the times: "no-barrier,develop,span"
  bool first_ = true;
  bool compares_ = false;  // several algorithms at this size
};

// Progress for people, if it is wanted: one line that is overwritten. Beside a table it goes the table's way, so that
// the two are not mixed up; else to standard error.
class Progress {
 public:
  Progress(bool wanted, std::ostream& to) : wanted_(wanted), to_(to) {}
  void show(const std::string& text);
  void wipe();

 private:
  bool wanted_;
  std::ostream& to_;
  bool shown_ = false;
};

}  // namespace cohort::bench
