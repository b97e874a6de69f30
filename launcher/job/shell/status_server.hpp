// SPDX-License-Identifier: Apache-2.0
// Answers `cohort status` and `cohort inject`: gRPC on a socket in the user's own folder of jobs.
#pragma once

#include <asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

namespace cohort {

class StatusServer {
 public:
  struct Job {
    std::function<std::string()> line;  // about the job
    // Reports what the job's processes do. Calls `reply` later, from the event loop, if the server still exists.
    std::function<void(std::function<void(std::string)> reply)> processes;
    // Injects faults, given as TOML, into the job. Returns what is wrong with them, or an empty string.
    std::function<std::string(const std::string& faults)> inject;
  };

  // All functions of `job` are called from the event loop. Returns null if the folder can't be used or descriptors are
  // scarce: this must not fail a job.
  static std::unique_ptr<StatusServer> start(asio::io_context& loop, Job job);
  virtual ~StatusServer() = default;
};

}  // namespace cohort
