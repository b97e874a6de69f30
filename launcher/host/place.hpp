// What each process of a job is told in its environment: its place in the job, and on its host. A shell script, and
// what is no program of Cohort, knows by it which one it is.
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

// NAME=VALUE.
std::vector<std::string> variables_of(const Place& place);

// Whether such a variable has this name: those of a job around this one are not for its processes, nor a user's.
bool tells_the_place(std::string_view name);

}  // namespace cohort
