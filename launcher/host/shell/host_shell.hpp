// SPDX-License-Identifier: Apache-2.0
// Gives the machine LocalHost, one host's part of a job, its processes and a clock. The launcher uses HostShell for its
// own host, `cohort agent` for the others.
#pragma once

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <deque>
#include <optional>
#include <string>

#include "launcher/host/host.hpp"
#include "launcher/host/local_host.hpp"
#include "launcher/host/memory_kills.hpp"
#include "launcher/host/mpi_faces.hpp"
#include "launcher/host/orphans.hpp"
#include "launcher/host/shell/child.hpp"
#include "launcher/host/shell/input_pipe.hpp"
#include "launcher/host/shell/meeting.hpp"
#include "launcher/host/shell/memory_for_all.hpp"
#include "launcher/host/shell/starting.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/loop/attended_timer.hpp"
#include "launcher/loop/reaper.hpp"

namespace cohort {

class HostShell final : public Host {
 public:
  // All references must outlive this object, and the loop must not run any more when it is destroyed.
  HostShell(asio::io_context& loop, Reaper& reaper, Warden& warden, HostListener& listener,
            LocalHost::Settings settings);
  ~HostShell() override;  // kills processes that still run: the launcher is gone, or has failed

  void tell(const v1::ToHost& message) override { take(host_event::Told{message}); }

 private:
  void take(HostEvent event);

  void perform(host_command::Report&& command);
  void perform(host_command::Send&& command);
  void perform(host_command::Start&& command);
  void perform(host_command::GiveMemory&& command);
  void perform(host_command::WatchMember&& command);
  void perform(host_command::Signal&& command);
  void perform(host_command::KillAll&& command);
  void perform(host_command::Forget&& command);
  void perform(host_command::Input&& command);
  void perform(host_command::ResumeOutput&& command);
  void perform(host_command::CloseOutput&& command);
  void perform(host_command::Look&& command);
  void perform(host_command::LookWhoIsStopped&& command);
  void perform(host_command::LookWhoHasEnded&& command);
  void perform(host_command::LookForOtherMpi&& command);
  void perform(host_command::ReadStack&& command);
  void perform(host_command::BeMeasured&& command) { meeting_.be_measured(command.meeting); }
  void perform(host_command::Measure&& command) { meeting_.measure(command.order); }
  void perform(host_command::Examine&& command);

  Child& child(Pid pid);
  std::size_t place_of(const Child& child) const { return static_cast<std::size_t>(child.pid - children_.front().pid); }
  void add(const Starting::Started& started);
  LineReader::Handler lines_of(Pid pid, bool error);
  void read_spawn_errors();
  void look_at(Child& child);
  void ended(Child& child, int wait_status);

  asio::io_context& loop_;
  Reaper& reaper_;
  Warden& warden_;
  HostListener& listener_;
  const LocalHost::Settings settings_;
  LocalHost host_;
  AttendedTimer timer_;
  std::deque<HostEvent> events_;  // the first is being handled

  std::string program_;         // for messages
  std::deque<Child> children_;  // their addresses stay
  MemoryForAll memory_;
  std::optional<Orphans> orphans_;
  MpiFaces faces_;
  std::optional<InputPipe> input_;
  asio::posix::stream_descriptor spawn_errors_;
  std::optional<MemoryDeaths> memory_deaths_;
  Meeting meeting_;
};

}  // namespace cohort
