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
  bool barrier = true;
  bool develop = false;
  bool synchronous = false;  // in develop mode: a send ends when its receive has been called
  bool goes_on = false;      // without processes that it loses
  bool progress_thread = false;
  std::string record;                   // a file: whom each receive_any takes its message from is put into it
  std::optional<ReceiveRecord> replay;  // each is to take the same
  bool stacks = false;       // what processes do is told with the stacks of those that are not in the library
  GivenFaults faults;        // to be injected
  double patience_s = 0;     // a process that waits for longer makes the launcher tell what all do; 0: never
  double host_limit_s = 0;   // a host that is not heard of for so long is lost; 0: none
  double stall_limit_s = 0;  // a process that is stopped for so long is given up; 0: none
  GivenTuning tuning;
  std::function<void(const std::string& lines)> take_output;  // in place of this program's standard output
  double timeout_s = 0;                                       // 0: none
  double join_timeout_s = 0;                                  // from the first process that joins to the last; 0: none
};

}  // namespace cohort
