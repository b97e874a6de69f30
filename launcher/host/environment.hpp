// SPDX-License-Identifier: Apache-2.0
// The environment of a job's processes: this process's own, the user's settings, and variables with the process's place
// in the job and on its host. A shell script, or a program without Cohort, reads its rank from them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

struct Place {
  Pid rank = 0;
  int ranks = 0;
  int local_rank = 0;  // among the processes of its host
  int local_ranks = 0;
  std::string host;
  int host_number = 0;
  std::uint64_t job = 0;
};

// The variables as NAME=VALUE.
std::vector<std::string> variables_of(const Place& place);

// Whether `name` is one of these variables. A job inside another job does not pass on the outer job's variables, and a
// user may not set them.
bool tells_the_place(std::string_view name);

// This process's environment, with these settings (NAME=VALUE) added or replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& settings);

// The value of a variable in such a list, or empty.
std::string value_of(const std::string& name, const std::vector<std::string>& environment);

}  // namespace cohort
