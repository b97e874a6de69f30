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
  PortRange ports;  // that may be listened at, on all hosts
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // NAME=VALUE, for all processes
  std::string directory;
  bool label = false;
  process::v1::Settings settings;       // of all processes; faults and tuning are put into them at the start
  std::string record;                   // a file: whom each receive_any takes its message from is put into it
  std::optional<ReceiveRecord> replay;  // each is to take the same
  GivenFaults faults;                   // to be injected
  double stall_limit_s = 0;             // a process that is stopped for so long is given up; 0: none
  GivenTuning tuning;
  std::function<void(const std::string& lines)> take_output;  // in place of this program's standard output
  double timeout_s = 0;                                       // 0: none
  double join_timeout_s = 0;                                  // from the first process that joins to the last; 0: none
};

}  // namespace cohort
