// SPDX-License-Identifier: Apache-2.0
// The events and commands of a running job: all that passes between the machine (RunningJob) and its shell (JobShell).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cohort/types.hpp"
#include "launcher/clock.hpp"
#include "launcher/deadline.hpp"
#include "proto/control.pb.h"

namespace cohort {

// The time of an event.
struct Moment {
  Attended attended{0};                        // for time limits on hosts and processes
  Clock::time_point clock;                     // for durations
  std::chrono::system_clock::time_point date;  // for the user
};

namespace event {

struct Begin {};  // the first event

// From a host, by its number.
struct FromHost {
  int host;
  v1::FromHost message;
};
struct HostLost {
  int host;
  std::string cause;
};

struct Signal {
  int number;  // that the launcher got
};
struct InputRead {
  std::string chunk;  // empty at the end
};
struct OutputWritten {
  int host;
  std::size_t bytes;
};
struct OutputClosed {};   // the reader is gone
struct OutputDrained {};  // the answer to command::DrainOutput
struct TimeUp {};         // a deadline has come

// From other `cohort` commands. Each waits for a Reply with the same number.
struct Describe {
  std::uint64_t asker;
};
struct Inject {
  std::uint64_t asker;
  std::string faults;  // as TOML
  std::uint64_t seed;
};

}  // namespace event

using Event =
    std::variant<event::Begin, event::FromHost, event::HostLost, event::Signal, event::InputRead, event::OutputWritten,
                 event::OutputClosed, event::OutputDrained, event::TimeUp, event::Describe, event::Inject>;

namespace command {

struct Tell {
  int host;
  std::shared_ptr<const v1::ToHost> message;
};

struct Write {
  int host;
  Pid pid;
  bool error;
  std::string block;
};
struct Say {
  std::string text;
};
struct DrainOutput {};  // answered by event::OutputDrained when all output given so far is written
struct DropOutput {};   // drop the output that a slow reader has not taken

struct StartInput {};
struct InputTaken {
  std::size_t bytes;
};
struct StopInput {};

struct ServeStatus {};
struct Reply {
  std::uint64_t asker;
  std::string text;
};

struct Stop {};   // stop the launcher itself, until SIGCONT
struct Close {};  // the last command: the job is over

}  // namespace command

using Command = std::variant<command::Tell, command::Write, command::Say, command::DrainOutput, command::DropOutput,
                             command::StartInput, command::InputTaken, command::StopInput, command::ServeStatus,
                             command::Reply, command::Stop, command::Close>;
using Commands = std::vector<Command>;

}  // namespace cohort
