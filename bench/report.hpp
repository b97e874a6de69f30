// What a benchmark prints, at rank 0.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "bench/plan.hpp"

namespace cohort::bench {

struct Row {
  std::string_view operation;
  Rank ranks = 0;
  std::size_t bytes = 0;
  Measurement measured;
  bool chosen = true;  // the algorithm, by the runtime
};

// Tab-separated lines, or those of a table with a heading, each as soon as it is there; or one JSON object. Where there
// are several algorithms, the table tells which one the runtime chose.
class Report {
 public:
  Report(const Plan& plan, const Process& self);
  void add(const Row& row);
  void end();

 private:
  Form form_;
  std::string mode_;  // the job's, and how time is told: "no-barrier,develop,span"
  bool first_ = true;
  bool compares_;  // algorithms
};

// For people who wait: one line that is written over and over, if anybody wants it: where the table appears, or else on
// standard error.
class Progress {
 public:
  explicit Progress(const Plan& plan);
  void show(const Task& task, std::size_t bytes);
  void wipe();

 private:
  bool wanted_;
  std::ostream& out_;
  bool shown_ = false;
};

}  // namespace cohort::bench
