// SPDX-License-Identifier: Apache-2.0
// Finds out how things are on hosts, and between each two of them. It starts agents as a job does, asks each of them,
// and lets them measure the network in pairs, one pair after the other.
#pragma once

#include <asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "launcher/clock.hpp"
#include "launcher/doctor/facts.hpp"
#include "launcher/host/host.hpp"
#include "launcher/host/shell/host_shell.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/job/job_plan.hpp"
#include "launcher/loop/limit.hpp"
#include "launcher/loop/reaper.hpp"
#include "launcher/remote/remote_hosts.hpp"

namespace cohort::doctor {

class Examination final : public HostListener {
 public:
  // Of the plan, only the hosts and how to reach them count. `on_progress` is told in words how far it is.
  Examination(asio::io_context& loop, Warden& warden, const JobPlan& plan,
              std::function<void(std::string)> on_progress);
  ~Examination() override;

  // Blocks: some seconds, with many hosts minutes. Throws what RemoteHosts::start() throws.
  Facts run();

 private:
  void heard(int host, v1::FromHost&& message) override;
  void lost(int host, const std::string& cause) override;

  void connect();
  void attached(int host, const v1::Attached& hello);
  void ask_next();
  void answered(int host, const v1::Examined& answer);
  void next_pair();
  void measurable(const v1::Measurable& where);
  void measured(const v1::Measured& result);
  void give_up_pair(const std::string& why);
  void go_on();
  void close();

  Host& host(int number);
  HostFacts& facts_of(int number) { return facts_.hosts.at(static_cast<std::size_t>(number)); }
  bool all_known() const;  // each host has attached, or is lost

  asio::io_context& loop_;
  Warden& warden_;
  const JobPlan& plan_;
  std::function<void(std::string)> on_progress_;
  const Clock::time_point begun_ = Clock::now();

  Reaper reaper_;
  std::unique_ptr<RemoteHosts> remote_;
  std::map<int, std::unique_ptr<HostShell>> here_;
  Facts facts_;
  Limit limit_;  // for the answer that is awaited
  enum class Step { connecting, asking, pairs, closing } step_ = Step::connecting;
  std::uint32_t question_ = 0;  // the latest one
  int asked_ = 0;               // the host that is asked
  Clock::time_point asked_at_;
  std::int64_t asked_at_ns_ = 0;  // by the wall clock
  std::size_t pair_ = 0;          // that is measured
  int tries_ = 0;                 // to measure it
  v1::BeMeasured meeting_;        // of this pair
};

}  // namespace cohort::doctor
