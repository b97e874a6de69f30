// What one host's part of a job hears, and what it wants done: all that passes between the machine (LocalHost) and its
// shell (HostShell).
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
  v1::ToHost message;  // by the launcher
};

// What becomes of the command Start: each process that has been started, or why one could not be.
struct Started {
  Pid pid;
  pid_t process;
};
struct NotStarted {
  int status;  // 126 or 127, as a shell has it
  std::string reason;
};
struct OtherMpiFound {
  std::string library;  // that a program of another MPI needs
};

// Of a process, in the order in which they have happened.
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
// The process that has joined is not the one that was started, and has ended before it.
struct MemberEnded {
  Pid pid;
  std::optional<int> wait_status;  // if the system says so
  bool out_of_memory;
};
struct Ended {
  Pid pid;
  int wait_status;
  bool out_of_memory;
};

// Of its output, which may be held open by what it has left behind.
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

// What the commands Look, LookWhoIsStopped, LookWhoHasEnded and ReadStack have found.
struct Looked {
  struct Process {
    Pid pid;
    bool stopped;       // by a signal, not by a debugger
    std::string turns;  // on a processor, so far
  };
  std::vector<Process> processes;
};
struct SeenStopped {
  std::uint64_t question;
  std::vector<Pid> processes;  // by a signal or a debugger
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
// What has joined in the process's place may have a group, or a session, of its own: its end is told apart.
struct WatchMember {
  Pid pid;
  pid_t process;
};
// To the process, what it has started, and what has joined in its place.
struct Signal {
  Pid pid;
  int number;
};
struct KillAll {};  // and all that they have left behind
struct Forget {};   // their numbers: nothing of them is left

struct Input {
  std::string data;  // of rank 0; empty: the end
};
struct ResumeOutput {};  // it is read only while LocalHost::takes_output()
struct CloseOutput {};   // whatever is still to come

struct Look {};
struct LookWhoIsStopped {
  std::uint64_t question;
};
// Before the answer, all that has happened to the processes so far is heard.
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

// Two of the job's hosts measure the network between them. What they find is reported as it is.
struct BeMeasured {
  v1::BeMeasured meeting;
};
struct Measure {
  v1::Measure order;
};

}  // namespace host_command

using HostCommand =
    std::variant<host_command::Report, host_command::Send, host_command::Start, host_command::WatchMember,
                 host_command::Signal, host_command::KillAll, host_command::Forget, host_command::Input,
                 host_command::ResumeOutput, host_command::CloseOutput, host_command::Look,
                 host_command::LookWhoIsStopped, host_command::LookWhoHasEnded, host_command::LookForOtherMpi,
                 host_command::ReadStack, host_command::BeMeasured, host_command::Measure>;
using HostCommands = std::vector<HostCommand>;

}  // namespace cohort
