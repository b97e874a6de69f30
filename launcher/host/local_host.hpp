// SPDX-License-Identifier: Apache-2.0
// The work of one host: its processes, from their start to their end. A machine without I/O: events in, with their
// time, and commands out (host_events.hpp). HostShell gives it processes and a clock: in the launcher for the
// launcher's host, in `cohort agent` for the others.
//
//   waiting -> running -> ending -> finished
//
// The launcher says when to start, and when to finish. On finish, the host kills the processes that still run and sends
// the rest of the output. It reports nothing after that.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/host/host_events.hpp"
#include "launcher/host/local_process.hpp"
#include "launcher/host/output_window.hpp"
#include "launcher/host/process_faults.hpp"
#include "launcher/host/stall_watch.hpp"
#include "runtime/job.hpp"

namespace cohort {

class LocalHost {
 public:
  struct Settings {
    int number = 0;      // of the host in the job
    std::string name;    // the user's name for the host
    ListenAt listen_at;  // where its processes listen
    int cores = 0;       // cores that its processes may use
  };

  explicit LocalHost(Settings settings) : settings_(std::move(settings)) {}

  HostCommands on(HostEvent event, Attended now);

  // When the shell must send the next TimeUp.
  std::optional<Deadline> deadline() const;

  // Whether the processes' output may be read.
  bool takes_output() const { return window_.open(); }

 private:
  struct Waiting {};
  struct Running {};
  struct Ending {
    std::optional<Deadline> quiet;  // when to close streams that a process which can't be killed holds open
    bool launcher_is_slow = false;  // when the deadline was set, the launcher had not written all output
  };
  struct Finished {};

  void hear(host_event::Told&& event);
  void hear(host_event::Started&& event);
  void hear(host_event::NotStarted&& event);
  void hear(host_event::OtherMpiFound&& event);
  void hear(host_event::Said&& event);
  void hear(host_event::SaidNonsense&& event);
  void hear(host_event::LinkClosed&& event);
  void hear(host_event::MemberEnded&& event);
  void hear(host_event::Ended&& event);
  void hear(host_event::Wrote&& event);
  void hear(host_event::StreamEnded&& event);
  void hear(host_event::InputTaken&& event);
  void hear(host_event::Looked&& event);
  void hear(host_event::SeenStopped&& event);
  void hear(host_event::SeenWhoHasEnded&& event);
  void hear(host_event::StackRead&& event);
  void hear(host_event::TimeUp&& event);

  void start(const v1::Start& order);
  void signal(int number);
  void finish();
  void finish_if_quiet();
  void greet(LocalProcess& process, const process::v1::Hello& hello);
  void warn_of_no_memory(const LocalProcess& process, const std::string& why);
  void refuse(const LocalProcess& process, const std::string& reason);
  void hear_doing(LocalProcess& process, process::v1::Doing&& doing);
  void tell_doing(Pid pid, process::v1::Doing doing);
  void tell_processes(process::v1::ToProcess message);
  void add(const process::v1::Faults& faults);
  void act(const ProcessFaults::Actions& actions);

  LocalProcess* find(Pid pid);
  void report(v1::FromHost message) { commands_.push_back(host_command::Report{std::move(message)}); }

  const Settings settings_;
  HostCommands commands_;  // of the event that is being handled
  Attended now_{0};        // the time of that event

  std::variant<Waiting, Running, Ending, Finished> phase_;
  std::vector<LocalProcess> processes_;
  std::string program_;                           // for messages
  process::v1::ToProcess welcome_;                // the common part of each process's welcome
  std::vector<v1::Took> replay_;                  // for the welcome of each process
  std::vector<process::v1::ToProcess> failures_;  // for processes that join later
  bool stacks_wanted_ = false;                    // whether the last question asks for stacks

  OutputWindow window_;
  ProcessFaults faults_;
  StallWatch stalls_;
  bool told_of_no_memory_ = false;
  bool suspended_ = false;        // the launcher has stopped the processes
  std::optional<Deadline> look_;  // time of the next look at the processes
  struct {
    unsigned looks = 0;
    bool told = false;
  } other_mpi_;
};

}  // namespace cohort
