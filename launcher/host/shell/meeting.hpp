// SPDX-License-Identifier: Apache-2.0
// This host's part in measuring the network between two hosts: of a job, while its processes start, or for cohort
// doctor.
#pragma once

#include <asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "launcher/network/link_meter.hpp"
#include "proto/control.pb.h"

namespace cohort {

class Meeting {
 public:
  // `report` is called from the event loop, or from within a call, with messages for the launcher.
  Meeting(asio::io_context& loop, ListenAt listen_at, std::function<void(v1::FromHost)> report)
      : loop_(loop), listen_at_(std::move(listen_at)), report_(std::move(report)) {}

  void be_measured(const v1::BeMeasured& meeting);  // at the far end, which listens
  void measure(const v1::Measure& order);           // at the near end, which connects

 private:
  void measured(std::uint64_t job, const LinkMeter::Result& result);

  asio::io_context& loop_;
  const ListenAt listen_at_;
  std::function<void(v1::FromHost)> report_;
  std::unique_ptr<LinkMeter> meter_;
};

}  // namespace cohort
