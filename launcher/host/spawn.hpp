// fork and exec for a child of the launcher. The child has a process group of its own, only the descriptors that it is
// given, the signal settings that it is given, and dies when its parent dies.
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
  int errors = -1;                    // a pipe with close-on-exec: its end is seen when all children have executed
  int warden = -1;                    // Warden::descriptor()
  bool without_terminal = false;      // nobody can be asked for a password
  SignalSettings signals;             // that the child begins with
  std::optional<rlimit> descriptors;  // how many the child may have, if not as many as the parent
  int number = 0;
};

// Lets this process have as many descriptors as it may; returns the limit that it began with, for its children.
rlimit raise_descriptor_limit();

// The child's process number; its group has the same. Throws std::system_error if there can't be a child.
pid_t spawn(const SpawnOrder& order);

}  // namespace cohort
