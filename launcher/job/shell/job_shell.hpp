// SPDX-License-Identifier: Apache-2.0
// Gives the machine RunningJob its hosts, its input and output, its signals and a clock.
#pragma once

#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <map>
#include <memory>
#include <string>

#include "launcher/host/host.hpp"
#include "launcher/host/shell/host_shell.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/job/job_events.hpp"
#include "launcher/job/job_plan.hpp"
#include "launcher/job/running_job.hpp"
#include "launcher/job/shell/input.hpp"
#include "launcher/job/shell/labelled_output.hpp"
#include "launcher/job/shell/questions.hpp"
#include "launcher/loop/attended_timer.hpp"
#include "launcher/loop/reaper.hpp"
#include "launcher/remote/remote_hosts.hpp"

namespace cohort {

class JobShell final : public HostListener {
 public:
  JobShell(asio::io_context& loop, Warden& warden, JobPlan plan);
  ~JobShell() override;

  // Returns the exit status of `cohort run`.
  int run();

 private:
  void heard(int host, v1::FromHost&& message) override;
  void lost(int host, const std::string& cause) override;
  void take(Event event);

  void perform(command::Tell&& command);
  void perform(command::Write&& command);
  void perform(command::Say&& command);
  void perform(command::DrainOutput&& command);
  void perform(command::DropOutput&& command);
  void perform(command::StartInput&& command);
  void perform(command::InputTaken&& command);
  void perform(command::StopInput&& command);
  void perform(command::ServeStatus&& command);
  void perform(command::Reply&& command);
  void perform(command::Stop&& command);
  void perform(command::Close&& command);

  void wait_for_signals();
  void connect();
  Host& host(int number);
  std::string own_address() const;
  void write_record() const;

  asio::io_context& loop_;
  Warden& warden_;
  const JobPlan plan_;
  const JobOrigin origin_;
  RunningJob job_;

  AttendedTimer timer_;
  Reaper reaper_;
  asio::signal_set signals_;
  LabelledOutput output_;
  Input input_;
  std::unique_ptr<RemoteHosts> remote_;
  std::map<int, std::unique_ptr<HostShell>> here_;  // by number; destroyed before remote_: local processes end first
  Questions questions_;
};

}  // namespace cohort
