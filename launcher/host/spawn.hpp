// SPDX-License-Identifier: Apache-2.0
// fork and exec for a child of the launcher. The child has a process group of its own, and only the descriptors and the
// signal settings of its order. It dies when its parent dies.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "launcher/host/signal_settings.hpp"

namespace cohort {

// Written by a child that could not execute its program, to SpawnOrder::errors.
struct SpawnError {
  int number;      // SpawnOrder::number
  int error;       // errno
  bool directory;  // entering the directory failed, not executing the program
};

struct SpawnOrder {
  std::string path;
  std::vector<std::string> arguments;  // with the program's name
  std::vector<std::string> environment;
  std::string directory;  // or empty: the parent's
  int input = -1;         // what the child gets as its descriptors 0, 1 and 2
  int output = -1;
  int error = -1;
  int kept = -1;                      // a descriptor that the child gets under the same number, or -1
  int errors = -1;                    // a pipe with close-on-exec: it closes when all children have executed
  int warden = -1;                    // Warden::descriptor()
  bool without_terminal = false;      // so that the child can't ask for a password
  SignalSettings signals;             // with which the child starts
  std::optional<rlimit> descriptors;  // the child's limit, if it differs from the parent's
  int number = 0;
};

// Raises this process's descriptor limit to the hard limit. Returns the limit at its start, for its children.
rlimit raise_descriptor_limit();

// Returns the child's process number, which is also its group's. Throws std::system_error if the fork fails.
pid_t spawn(const SpawnOrder& order);

}  // namespace cohort
