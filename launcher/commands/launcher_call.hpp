// Calls to the launcher of a job on this host: gRPC over its socket in the user's folder.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// Throws UsageError, for this command, if no such job of this user runs here.
void expect_job(std::string_view command, int launcher);

struct JobDescription {
  std::string job;        // one line
  std::string processes;  // if they were asked for
};

// Both throw Error(job) if the launcher does not answer.
JobDescription ask_to_describe(int launcher, bool processes);
std::string ask_to_inject(int launcher, const std::string& faults);  // what is wrong with them, or nothing

}  // namespace cohort
