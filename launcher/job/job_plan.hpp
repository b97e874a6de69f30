// SPDX-License-Identifier: Apache-2.0
// What the user wants to run, and where.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launcher/job/faults_file.hpp"
#include "launcher/job/hosts.hpp"
#include "launcher/job/receive_record.hpp"
#include "launcher/network/tuning_file.hpp"
#include "proto/process.pb.h"
#include "runtime/job.hpp"

namespace cohort {

struct JobPlan {
  int ranks = 0;
  std::vector<HostPlan> hosts;
  std::vector<std::string> remote_shell;
  int shells_at_once = 0;  // remote shells that may start at once
  std::string interface;
  PortRange ports;  // where processes and agents may listen, on all hosts
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // NAME=VALUE, for all processes
  std::string directory;
  bool mpi = true;  // Cohort's MPI libraries stand before the system's
  bool label = false;
  process::v1::Settings settings;       // of all processes; the start adds faults and tuning
  std::string record;                   // a file: gets the source of each receive_any's message
  std::optional<ReceiveRecord> replay;  // the sources that each receive_any must take its messages from
  GivenFaults faults;                   // to be injected
  double stall_limit_s = 0;             // a process that is stopped for longer is given up; 0: no limit
  GivenTuning tuning;
  std::function<void(const std::string& lines)> take_output;  // in place of this program's standard output
  double timeout_s = 0;                                       // 0: no limit
  double join_timeout_s = 0;                                  // from the first process's join to the last; 0: no limit
};

}  // namespace cohort
