// What a benchmark prints, at rank 0.
#pragma once

#include <cstddef>
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

// Tab-separated lines, or those of a table with a heading, each as soon as it is there; or one JSON object.
class Report {
 public:
  Report(const Plan& plan, const Process& self);
  // Before a size of an operation is measured, which takes long with many algorithms: the table says so, and then tells
  // which of them is the runtime's choice.
  void begin(const Task& task, std::size_t bytes);
  void add(const Row& row);
  void end();

 private:
  Form form_;
  std::string mode_;  // the job's, and how time is told: "no-barrier,develop,span"
  bool first_ = true;
  bool compares_ = false;  // algorithms, at this size
};

// For people who wait: one line on standard error that is written over and over, if anybody wants it.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted) {}
  void show(const std::string& text);
  void wipe();

 private:
  bool wanted_;
  bool shown_ = false;
};

}  // namespace cohort::bench
