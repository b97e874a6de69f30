// SPDX-License-Identifier: Apache-2.0
// Questions and orders of other commands about the job, `cohort status` and `cohort inject`, on their way to the
// machine and back.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "launcher/job/job_events.hpp"
#include "launcher/job/shell/status_server.hpp"

namespace cohort {

class Questions {
 public:
  // `take` gives the job an event, which it may reply to. `line` describes the job. They are called from the event
  // loop.
  Questions(asio::io_context& loop, std::function<void(Event)> take, std::function<std::string()> line);

  // From soon on, questions are answered. A job that is over before starts no server.
  void serve_soon();
  void reply(command::Reply&& command);

 private:
  using Answer = std::function<void(std::string)>;
  std::uint64_t note(Answer answer);
  std::string inject(const std::string& faults);

  asio::io_context& loop_;
  const std::function<void(Event)> take_;
  const std::function<std::string()> line_;
  asio::steady_timer timer_;
  std::unique_ptr<StatusServer> server_;
  std::map<std::uint64_t, Answer> answers_;  // by asker, until the job replies
  std::uint64_t askers_ = 0;
};

}  // namespace cohort
