// SPDX-License-Identifier: Apache-2.0
// What is wrong, or strange, in the facts, and what to do.
#pragma once

#include <string>
#include <vector>

#include "launcher/doctor/facts.hpp"

namespace cohort::doctor {

struct Finding {
  bool problem = true;  // a job will not run there; else it will, but perhaps not as the user thinks
  std::string what;
  std::string to_do;
};

std::vector<Finding> findings_of(const Facts& facts);

}  // namespace cohort::doctor
