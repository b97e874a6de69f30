// SPDX-License-Identifier: Apache-2.0
// Calls to the launcher of a job on this host: gRPC over its socket in the user's folder.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// What is wrong with the name of a job; the name follows.
inline constexpr const char* is_no_job =
    "a job is named by the process number of its launcher, as cohort status lists it, not by ";

// Throws UsageError that names `command` if this user has no such job on this host.
void expect_job(std::string_view command, int launcher);

struct JobDescription {
  std::string job;        // one line
  std::string processes;  // if they were asked for
};

// Both throw Error(job) if the launcher does not answer.
JobDescription ask_to_describe(int launcher, bool processes);
std::string ask_to_inject(int launcher, const std::string& faults);  // what is wrong with the faults, or empty

}  // namespace cohort
