// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

#include "bench/operations.hpp"

namespace cohort::bench {
namespace {

std::string fixed(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

constexpr const char* up_and_wipe = "\033[A\033[2K";  // standard error comes in whole lines

std::string mode_of(const Process& self, Timing timing) {
  std::string mode = self.barrier() ? "barrier" : "no-barrier";
  if (self.develop()) mode += ",develop";
  if (self.progress_thread()) mode += ",progress-thread";
  if (timing == Timing::span) mode += ",span";
  if (timing == Timing::together) mode += ",together";
  return mode;
}

// The rate of a stream; else 0.
double messages_per_second(const Row& row) {
  return streams_at_once(row.operation, row.ranks) * 1e6 / row.measured.median_us;
}

// A table's last column: the algorithm, or a stream's rate.
std::string remark(const Row& row, bool names_choice) {
  if (streams_at_once(row.operation, row.ranks) == 0)
    return row.measured.algorithm + (names_choice && row.chosen ? " (chosen)" : "");
  const double rate = messages_per_second(row);
  return fixed(rate * static_cast<double>(row.bytes) / 1e6) + " MB/s, " + std::to_string(std::lround(rate)) +
         " messages/s";
}

void print_line(std::string_view operation, const std::string& bytes, const std::string& repetitions,
                const std::string& minimum, const std::string& median, const std::string& algorithm) {
  std::cout << std::left << std::setw(22) << operation << std::right << std::setw(11) << bytes << std::setw(13)
            << repetitions << std::setw(12) << minimum << std::setw(12) << median << "  " << algorithm << std::endl;
}

}  // namespace

Report::Report(const Plan& plan, const Process& self) : form_(plan.form), mode_(mode_of(self, plan.patience.timing)) {
  if (form_ == Form::table) {
    std::cout << self.size() << (self.size() == 1 ? " process, " : " processes, ") << mode_ << "; microseconds\n";
    print_line("operation", "bytes", "repetitions", "minimum", "median", "algorithm");
  }
  if (form_ == Form::lines) {
    std::cout << "# library\toperation\tprocesses\tbytes\trepetitions\tminimum_us\tmedian_us\talgorithm\tmode"
              << std::endl;
  }
  if (form_ != Form::json) return;
  std::cout << "{\"ranks\": " << self.size() << ", \"barrier\": " << (self.barrier() ? "true" : "false")
            << ", \"mode\": \"" << mode_ << "\", \"results\": [";
}

void Report::begin(const Task& task, std::size_t bytes) {
  compares_ = task.algorithms.size() > 1;
  if (form_ != Form::table || !compares_) return;
  std::cout << "\n" << task.operation << ", " << bytes << " bytes, by several algorithms in turn:" << std::endl;
}

void Report::add(const Row& row) {
  const std::string minimum = fixed(row.measured.minimum_us), median = fixed(row.measured.median_us);
  if (form_ == Form::table) {
    print_line(row.operation, std::to_string(row.bytes), std::to_string(row.measured.repetitions), minimum, median,
               remark(row, compares_));
  } else if (form_ == Form::json) {
    std::cout << (first_ ? "\n" : ",\n") << "  {\"operation\": \"" << row.operation << "\", \"bytes\": " << row.bytes
              << ", \"repetitions\": " << row.measured.repetitions << ", \"min_us\": " << minimum
              << ", \"median_us\": " << median << ", \"algorithm\": \"" << row.measured.algorithm
              << "\", \"chosen\": " << (row.chosen ? "true" : "false");
    if (streams_at_once(row.operation, row.ranks) > 0)
      std::cout << ", \"messages_per_second\": " << fixed(messages_per_second(row));
    std::cout << "}";
  } else {
    std::cout << "cohort\t" << row.operation << '\t' << row.ranks << '\t' << row.bytes << '\t'
              << row.measured.repetitions << '\t' << minimum << '\t' << median << '\t' << row.measured.algorithm << '\t'
              << mode_ << '\n';
  }
  std::cout << std::flush;
  first_ = false;
}

void Report::end() {
  if (form_ == Form::table) std::cout << std::endl;
  if (form_ == Form::json) std::cout << "\n]}" << std::endl;
}

void Progress::show(const std::string& text) {
  if (!wanted_) return;
  to_ << (shown_ ? up_and_wipe : "") << text << std::endl;
  shown_ = true;
}

void Progress::wipe() {
  if (shown_) to_ << up_and_wipe << std::flush;
  shown_ = false;
}

}  // namespace cohort::bench
