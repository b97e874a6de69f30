// One host's part in measuring the network, while its processes start.
#include <algorithm>

#include "launcher/local_host.hpp"
#include "proto/control.pb.h"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

Job meter_job(const process::v1::Welcome& welcome) {
  Job job;
  job.id = ~welcome.job();  // a job of its own
  std::copy(welcome.secret().begin(), welcome.secret().end(), job.secret.begin());
  job.processes_on_host = welcome.processes_on_host();
  job.cores = welcome.cores();
  return job;
}

}  // namespace

void LocalHost::be_measured() {
  try {
    meter_ = std::make_unique<LinkMeter>(meter_job(welcome_->welcome()), settings_.listen_on);
  } catch (const std::exception&) {
    return measured({});
  }
  v1::FromHost message;
  message.mutable_measurable()->set_ip(settings_.listen_on);
  message.mutable_measurable()->set_port(meter_->port());
  emit(std::move(message));
}

void LocalHost::measure(const v1::ToHost& message) {
  const auto port = static_cast<std::uint16_t>(message.measure().port());
  try {
    meter_ = std::make_unique<LinkMeter>(meter_job(welcome_->welcome()), settings_.listen_on,
                                         ProcessAddress{"", message.measure().ip(), port, 0}, loop_,
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
