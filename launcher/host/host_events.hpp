// SPDX-License-Identifier: Apache-2.0
// The events and commands of one host's part of a job: all that passes between the machine (LocalHost) and its shell
// (HostShell).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cohort/types.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace host_event {

struct Told {
  v1::ToHost message;  // from the launcher
};

// The results of the command Start: one Started for each process that was started, or one NotStarted with the reason.
struct Started {
  Pid pid;
  pid_t process;
};
struct NotStarted {
  int status;  // 126 or 127, as in a shell
  std::string reason;
};
struct OtherMpiFound {
  std::string library;  // of the other MPI
};

// Events of a process, in the order in which they happened.
struct Said {
  Pid pid;
  process::v1::FromProcess message;
};
struct SaidNonsense {
  Pid pid;
  std::string reason;
};
struct LinkClosed {
  Pid pid;
};
// The process that joined the job has ended. It is a child of the process that was started (a shell), which still runs.
struct MemberEnded {
  Pid pid;
  std::optional<int> wait_status;  // if the system knows it
  bool out_of_memory;
};
struct Ended {
  Pid pid;
  int wait_status;
  bool out_of_memory;
};

// A process's output. Processes that it has left behind may hold the stream open after its end.
struct Wrote {
  Pid pid;
  bool error;
  std::string block;
};
struct StreamEnded {
  Pid pid;
};
struct InputTaken {
  std::size_t bytes;
  bool closed;
};

// The results of the commands Look, LookWhoIsStopped, LookWhoHasEnded and ReadStack.
struct Looked {
  struct Process {
    Pid pid;
    bool stopped;       // by a signal, not by a debugger
    std::string turns;  // text of /proc/PID/schedstat: differs if the process has run in between
  };
  std::vector<Process> processes;
};
struct SeenStopped {
  std::uint64_t question;
  std::vector<Pid> processes;  // stopped by a signal or a debugger
};
struct SeenWhoHasEnded {
  std::uint32_t question;
};
struct StackRead {
  Pid pid;
  std::string lines;
};

struct TimeUp {};  // a deadline has come

}  // namespace host_event

using HostEvent = std::variant<host_event::Told, host_event::Started, host_event::NotStarted, host_event::OtherMpiFound,
                               host_event::Said, host_event::SaidNonsense, host_event::LinkClosed,
                               host_event::MemberEnded, host_event::Ended, host_event::Wrote, host_event::StreamEnded,
                               host_event::InputTaken, host_event::Looked, host_event::SeenStopped,
                               host_event::SeenWhoHasEnded, host_event::StackRead, host_event::TimeUp>;

namespace host_command {

struct Report {
  v1::FromHost message;  // to the launcher
};
struct Send {
  std::vector<Pid> to;
  process::v1::ToProcess message;
};

struct Start {
  v1::Start order;
};
// Hands the memory that the processes of this host share to a process.
struct GiveMemory {
  Pid pid;
};
// Another process than the started one (a child of it) has joined the job. It may have a process group or session of
// its own, so its end is watched separately.
struct WatchMember {
  Pid pid;
  pid_t process;
};
// To the process, its children, and the process that has joined in its place.
struct Signal {
  Pid pid;
  int number;
};
struct KillAll {};  // kill all processes, and those that they left behind
struct Forget {};   // forget the process numbers: no process is left

struct Input {
  std::string data;  // for rank 0; empty: the end
};
struct ResumeOutput {};  // output is read only while LocalHost::takes_output()
struct CloseOutput {};   // read no more output

struct Look {};
struct LookWhoIsStopped {
  std::uint64_t question;
};
// The shell first delivers all earlier events of the processes, then the answer.
struct LookWhoHasEnded {
  std::uint32_t question;
};
struct LookForOtherMpi {
  Pid pid;
};
struct ReadStack {
  Pid pid;
  std::int64_t process;
};

// Hosts 0 and 1 measure the network between them. The shell reports the result itself.
struct BeMeasured {
  v1::BeMeasured meeting;
};
struct Measure {
  v1::Measure order;
};

// The shell reports how things are on the host.
struct Examine {
  std::uint32_t number;
};

}  // namespace host_command

using HostCommand =
    std::variant<host_command::Report, host_command::Send, host_command::Start, host_command::GiveMemory,
                 host_command::WatchMember, host_command::Signal, host_command::KillAll, host_command::Forget,
                 host_command::Input, host_command::ResumeOutput, host_command::CloseOutput, host_command::Look,
                 host_command::LookWhoIsStopped, host_command::LookWhoHasEnded, host_command::LookForOtherMpi,
                 host_command::ReadStack, host_command::BeMeasured, host_command::Measure, host_command::Examine>;
using HostCommands = std::vector<HostCommand>;

}  // namespace cohort
