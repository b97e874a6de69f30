// SPDX-License-Identifier: Apache-2.0
// The stacks of one process's threads, read by a debugger that is installed on the host.
#pragma once

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>

#include "launcher/host/warden.hpp"
#include "launcher/loop/limit.hpp"
#include "launcher/loop/reaper.hpp"

namespace cohort {

class StackReader {
 public:
  // Calls `done` once, from the event loop, within 10 s: with the lines of the stacks, or with the reason, in brackets,
  // why there are none. May be destroyed within that call; otherwise only when the loop no longer runs.
  StackReader(asio::io_context& loop, Reaper& reaper, Warden& warden, std::int64_t process,
              std::function<void(std::string lines)> done);
  ~StackReader();

 private:
  void start(std::int64_t process);
  void read();
  void end();
  void give_up(std::string reason);

  asio::io_context& loop_;
  Reaper& reaper_;
  Warden& warden_;
  std::function<void(std::string)> done_;
  asio::posix::stream_descriptor output_;
  Limit limit_;
  pid_t debugger_ = -1;
  std::string text_;
};

}  // namespace cohort
