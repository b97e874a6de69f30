// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/tuning_message.hpp"

#include "proto/process.pb.h"

namespace cohort {

void write(const Network& network, process::v1::Network& message) {
  message.set_alpha(network.alpha);
  message.set_beta(network.beta);
  message.set_gamma(network.gamma);
  message.set_latency(network.latency);
  message.set_shared_alpha(network.shared_alpha);
  message.set_shared_beta(network.shared_beta);
  message.set_burst(network.burst);
}

Network read(const process::v1::Network& message) {
  return {message.alpha(),        message.beta(),        message.gamma(), message.latency(),
          message.shared_alpha(), message.shared_beta(), message.burst()};
}

Tuning read(const process::v1::Tuning& message) {
  Tuning tuning;
  if (message.has_within_host()) tuning.within_host = read(message.within_host());
  if (message.has_between_hosts()) tuning.between_hosts = read(message.between_hosts());
  if (message.has_within_hosts()) tuning.within_hosts = read(message.within_hosts());
  for (const std::string& choice : message.choices()) tuning.choices.push_back(parse_choice(choice));
  return tuning;
}

}  // namespace cohort
