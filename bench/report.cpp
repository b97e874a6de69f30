#include "bench/report.hpp"

#include <iomanip>
#include <iostream>
#include <sstream>

namespace cohort::bench {
namespace {

std::string fixed(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

constexpr const char* up_and_wipe = "\033[A\033[2K";  // standard error comes in whole lines

std::string mode_of(const Process& self, bool span) {
  std::string mode = self.barrier() ? "barrier" : "no-barrier";
  if (self.develop()) mode += ",develop";
  if (self.progress_thread()) mode += ",progress-thread";
  if (span) mode += ",span";
  return mode;
}

}  // namespace

Report::Report(const Plan& plan, const Process& self) : json_(plan.json), mode_(mode_of(self, plan.patience.span)) {
  if (!json_) return;
  std::cout << "{\"ranks\": " << self.size() << ", \"barrier\": " << (self.barrier() ? "true" : "false")
            << ", \"mode\": \"" << mode_ << "\", \"results\": [";
}

void Report::add(const Row& row) {
  const std::string minimum = fixed(row.measured.minimum_us), median = fixed(row.measured.median_us);
  if (json_) {
    std::cout << (first_ ? "\n" : ",\n") << "  {\"operation\": \"" << row.operation << "\", \"bytes\": " << row.bytes
              << ", \"repetitions\": " << row.measured.repetitions << ", \"min_us\": " << minimum
              << ", \"median_us\": " << median << ", \"algorithm\": \"" << row.measured.algorithm
              << "\", \"chosen\": " << (row.chosen ? "true" : "false") << "}";
  } else {
    std::cout << "cohort\t" << row.operation << '\t' << row.ranks << '\t' << row.bytes << '\t'
              << row.measured.repetitions << '\t' << minimum << '\t' << median << '\t' << row.measured.algorithm << '\t'
              << mode_ << '\n';
  }
  std::cout << std::flush;
  first_ = false;
}

void Report::end() {
  if (json_) std::cout << "\n]}" << std::endl;
}

void Progress::show(const std::string& text) {
  if (!wanted_) return;
  std::cerr << (shown_ ? up_and_wipe : "") << text << std::endl;
  shown_ = true;
}

void Progress::wipe() {
  if (shown_) std::cerr << up_and_wipe << std::flush;
  shown_ = false;
}

}  // namespace cohort::bench
