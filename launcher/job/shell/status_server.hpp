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
    // What its processes do; `reply` is called later, from the event loop, if the server is still there.
    std::function<void(std::function<void(std::string)> reply)> processes;
    // Lets faults happen in it, as TOML. Returns why that can't be, or nothing.
    std::function<std::string(const std::string& faults)> inject;
  };

  // All functions of `job` are called from the event loop. If the folder can't be used, or descriptors are scarce,
  // nothing is served: that must not fail a job.
  static std::unique_ptr<StatusServer> start(asio::io_context& loop, Job job);
  virtual ~StatusServer() = default;
};

}  // namespace cohort
