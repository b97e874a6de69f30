// SPDX-License-Identifier: Apache-2.0
// One run of the remote shell ("RSH HOST COMMAND"). Its standard input carries the agent's orders and then stays open.
// The end of the input tells the agent that the launcher is gone.
#pragma once

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/host/warden.hpp"
#include "launcher/loop/reaper.hpp"

namespace cohort {

class RemoteShell {
 public:
  using Ended = std::function<void(int wait_status)>;
  using Said = std::function<void(const std::string& line)>;  // a line of the shell or the agent, without the newline

  RemoteShell(asio::io_context& loop, Reaper& reaper, Warden& warden, Ended ended, Said said);

  // Runs `command`, whose last words are the host and the remote command, and writes `orders` to its standard input.
  // Throws Error(job) if the command can't be run. May be called again when the shell has ended.
  void start(const std::vector<std::string>& command, const std::string& orders);

  bool running() const { return process_ > 0; }
  void close_input();
  void kill();

  // The end of the shell's output, on one line.
  std::string last_words() const;

 private:
  void read();
  void heard(std::string_view chunk);

  asio::io_context& loop_;
  Reaper& reaper_;
  Warden& warden_;
  Ended ended_;
  Said said_;
  asio::posix::stream_descriptor input_;
  asio::posix::stream_descriptor output_;
  std::string written_;
  std::string line_;  // a line without its end
  pid_t process_ = -1;
};

}  // namespace cohort
