// One host's part in measuring the network, while the job starts.
#include <algorithm>

#include "launcher/host/cores.hpp"
#include "launcher/host/local_host.hpp"
#include "proto/control.pb.h"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

Job meter_job(const v1::BeMeasured& meeting) {
  Job job;
  job.id = meeting.job();
  std::copy_n(meeting.secret().begin(), std::min(meeting.secret().size(), job.secret.size()), job.secret.begin());
  job.cores = usable_cores();
  job.crowded = meeting.count() > job.cores;
  return job;
}

}  // namespace

void LocalHost::be_measured(const v1::ToHost& message) {
  try {
    meter_ = std::make_unique<LinkMeter>(meter_job(message.be_measured()), settings_.listen_at);
  } catch (const std::exception&) {
    return measured({});
  }
  v1::FromHost report;
  report.mutable_measurable()->set_ip(settings_.listen_at.ip);
  report.mutable_measurable()->set_port(meter_->port());
  emit(std::move(report));
}

void LocalHost::measure(const v1::ToHost& message) {
  const v1::Measure& order = message.measure();
  const ProcessAddress far{"", order.ip(), static_cast<std::uint16_t>(order.port()), 0};
  try {
    meter_ = std::make_unique<LinkMeter>(meter_job(order.meeting()), settings_.listen_at, far, loop_,
                                         [this](const std::optional<Network>& network) { measured(network); });
  } catch (const std::exception&) {
    measured({});
  }
}

void LocalHost::measured(const std::optional<Network>& network) {
  v1::FromHost message;
  message.mutable_measured();
  if (network) write(*network, *message.mutable_measured()->mutable_network());
  emit(std::move(message));
}

}  // namespace cohort
