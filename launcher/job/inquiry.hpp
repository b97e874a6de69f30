// SPDX-License-Identifier: Apache-2.0
// One question to all processes, and their answers. No I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cohort/types.hpp"
#include "launcher/deadline.hpp"
#include "proto/process.pb.h"

namespace cohort {

class Inquiry {
 public:
  explicit Inquiry(int ranks) : answers_(static_cast<std::size_t>(ranks)) {}

  // Forgets earlier answers.
  void begin(std::uint64_t question, std::set<Pid> asked, Attended limit, Attended now);
  void stop() { deadline_.reset(); }
  bool running() const { return deadline_.has_value(); }

  void answered(Pid pid, process::v1::Doing&& doing);  // ignored if it answers another question
  void unable(Pid pid) { missing_.erase(pid); }

  std::optional<Deadline> deadline() const { return deadline_; }
  void time_up(Attended now);

  // Returns true once: when each process that was asked has answered or turned out to be unable to, or when the limit
  // has passed.
  bool take_over();

  using Answers = std::vector<std::optional<process::v1::Doing>>;  // by pid
  const Answers& answers() const { return answers_; }

 private:
  std::uint64_t question_ = 0;
  std::set<Pid> missing_;
  std::optional<Deadline> deadline_;
  Answers answers_;
};

}  // namespace cohort
