// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/meeting.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "launcher/host/cores.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

// A job of two processes, one on each host.
Job job_of(const v1::BeMeasured& meeting) {
  Job job;
  job.id = meeting.job();
  std::copy_n(meeting.secret().begin(), std::min(meeting.secret().size(), job.secret.size()), job.secret.begin());
  job.cores = usable_cores();
  job.crowded = meeting.count() > job.cores;
  return job;
}

}  // namespace

void Meeting::be_measured(const v1::BeMeasured& meeting) {
  try {
    meter_ = std::make_unique<LinkMeter>(job_of(meeting), listen_at_);
  } catch (const std::exception&) {
    return measured(meeting.job(), {});
  }
  v1::FromHost message;
  message.mutable_measurable()->set_ip(listen_at_.ip);
  message.mutable_measurable()->set_port(meter_->port());
  message.mutable_measurable()->set_job(meeting.job());
  report_(std::move(message));
}

void Meeting::measure(const v1::Measure& order) {
  const ProcessAddress far{"", order.ip(), static_cast<std::uint16_t>(order.port()), 0};
  try {
    meter_ = std::make_unique<LinkMeter>(
        job_of(order.meeting()), listen_at_, far, loop_,
        [this, job = order.meeting().job()](const LinkMeter::Result& result) { measured(job, result); });
  } catch (const std::exception&) {
    measured(order.meeting().job(), {});
  }
}

void Meeting::measured(std::uint64_t job, const LinkMeter::Result& result) {
  v1::FromHost message;
  message.mutable_measured()->set_job(job);
  message.mutable_measured()->set_met(result.met);
  if (result.network) write(*result.network, *message.mutable_measured()->mutable_network());
  report_(std::move(message));
}

}  // namespace cohort
