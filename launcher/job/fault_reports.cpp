// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/fault_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cohort {

void FaultReports::expect(const GivenFaults& faults) {
  for (const std::string& description : faults.descriptions) reports_.push_back({description, {}, 0});
}

void FaultReports::happened(Pid pid, std::uint32_t number, std::uint64_t times, double first_s) {
  if (number >= reports_.size()) return;
  Report& report = reports_[number];
  report.first_s = report.times.empty() ? first_s : std::min(report.first_s, first_s);
  report.times[pid] = times;
}

std::vector<std::string> FaultReports::lines() const {
  std::vector<std::string> lines;
  for (const Report& report : reports_) {
    const std::uint64_t times = std::accumulate(report.times.begin(), report.times.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const auto& of) { return sum + of.second; });
    const std::string when = fmt::format("after {:.3g} s", report.first_s);
    lines.push_back("injected: " + report.description + ": " +
                    (times == 0   ? "did not happen"
                     : times == 1 ? when
                                  : std::to_string(times) + " times, first " + when));
  }
  return lines;
}

}  // namespace cohort
