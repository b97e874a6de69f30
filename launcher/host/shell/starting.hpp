// SPDX-License-Identifier: Apache-2.0
// Starts a host's processes, with the settings that all share and those of each process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "launcher/host/environment.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/mpi_faces.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/spawn.hpp"
#include "proto/control.pb.h"

namespace cohort {

class Orphans;
class Warden;

class Starting {
 public:
  // `host` is its name, `host_number` its number in the job. Throws std::system_error.
  Starting(const v1::Start& job, const std::string& host, int host_number, const Orphans& orphans, const Warden& warden,
           const MpiFaces& faces);
  ~Starting();
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;

  // Without a path, no process can be started.
  const ProgramFile& file() const { return file_; }

  // The reading end of a pipe, which the caller closes. A child that can't execute the program writes a SpawnError. The
  // pipe closes when all children have executed and this object is destroyed.
  int errors() const { return errors_; }

  // A started process, and our ends of its link and pipes: non-blocking descriptors, which the caller closes.
  struct Started {
    Pid pid = 0;
    pid_t process = -1;
    int link = -1;
    int output = -1;
    int error = -1;
    int input = -1;  // of rank 0 only
  };

  // Starts the next process of the host, beginning with the first. Throws std::system_error; the job must then end.
  Started start_next();

 private:
  const Pid first_;
  int started_ = 0;
  Place place_;
  ProgramFile file_;
  SpawnOrder order_;
  std::size_t for_all_ = 0;  // the environment's settings that all processes share
  int errors_ = -1;
  int null_input_ = -1;
  const RaisedMemoryScore raised_;
};

}  // namespace cohort
