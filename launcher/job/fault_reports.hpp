// SPDX-License-Identifier: Apache-2.0
// What the injected faults did. The job prints this at its end, so that nobody takes an injected failure for a real
// one. No I/O.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "launcher/job/faults_file.hpp"

namespace cohort {

class FaultReports {
 public:
  void expect(const GivenFaults& faults);
  std::uint32_t count() const { return static_cast<std::uint32_t>(reports_.size()); }

  // A process reports on the fault `number`. The report replaces the earlier one of the same process.
  void happened(Pid pid, std::uint32_t number, std::uint64_t times, double first_s);

  std::vector<std::string> lines() const;

 private:
  struct Report {
    std::string description;
    std::map<Pid, std::uint64_t> times;  // by the process that reports
    double first_s = 0;
  };
  std::vector<Report> reports_;  // by number
};

}  // namespace cohort
