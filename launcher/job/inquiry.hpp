// A question to all processes at once, and what they answer.
#pragma once

#include <asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "cohort/types.hpp"
#include "launcher/host/limit.hpp"
#include "proto/process.pb.h"

namespace cohort {

class Inquiry {
 public:
  Inquiry(asio::io_context& loop, int ranks);

  // Forgets earlier answers. `over` is called once, from the event loop: when all of these have answered, or have
  // turned out to be unable to, or the limit has passed.
  void begin(std::uint64_t question, std::set<Pid> asked, std::chrono::milliseconds limit, std::function<void()> over);
  bool running() const { return static_cast<bool>(over_); }
  void stop();

  void answered(Pid pid, process::v1::Doing&& doing);  // ignored if it is no answer to this question
  void unable(Pid pid);

  using Answers = std::vector<std::optional<process::v1::Doing>>;  // by pid
  const Answers& answers() const { return answers_; }

 private:
  void end_if_complete();
  void end();

  asio::io_context& loop_;
  Limit limit_;
  std::uint64_t question_ = 0;
  std::set<Pid> missing_;
  Answers answers_;
  std::function<void()> over_;
};

}  // namespace cohort
