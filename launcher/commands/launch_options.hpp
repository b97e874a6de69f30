// SPDX-License-Identifier: Apache-2.0
// The options for where and how to start a job. Every command that starts a job has them.
#pragma once

#include <string>
#include <vector>

#include "launcher/commands/command_line.hpp"
#include "launcher/job/job_plan.hpp"

namespace cohort {

struct LaunchOptions {
  std::string ranks;
  std::string hosts;
  std::string hostfile;
  std::string remote_shell = "ssh -o BatchMode=yes";
  std::string shells_at_once = "64";
  std::string interface;
  std::string ports;
  std::string tuning;
  std::string faults;
  std::vector<std::string> exports;
  std::string timeout;
  std::string join_timeout = "120";
  std::string stall_limit = "60";
  bool label = false;
  bool mpi = true;
  std::string record;
  std::string replay;
  process::v1::Settings settings;  // for each process

  void add_to(CliCommand command);
  void add_hosts_to(CliCommand command);  // only where, and how to get there

  // The number of processes that the user asks for.
  int processes() const;

  // The plan of a job of this program. Throws UsageError.
  JobPlan plan(std::string program, std::vector<std::string> arguments) const;

  // Only the hosts, with a process on each slot, and how to get there. Throws UsageError.
  JobPlan hosts_plan() const;

 private:
  std::vector<HostEntry> entries() const;
  JobPlan plan_at(const std::vector<HostEntry>& entries, int ranks) const;
};

// Runs the job to its end, and returns the exit status. Forks, so the process must be small and have one thread.
int run_job(JobPlan plan);

}  // namespace cohort
