// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/network_options.hpp"

#include "launcher/commands/quantities.hpp"

namespace cohort {

void NetworkOptions::add_to(CliCommand command) {
  const auto add = [&](const char* name, std::string& value, const char* what) {
    command.add_option(name, value, what).type_name("TIME");
  };
  add("--alpha", alpha, "What a message costs; 50us");
  add("--beta", beta, "What a byte costs; 80ns");
  add("--gamma", gamma, "What combining a byte costs; 0.2ns");
  add("--latency", latency, "How much later a message arrives; 0");
  command.add_flag("--simplex", simplex, "A rank sends or receives, never both at once");
}

void NetworkOptions::add_shared_to(CliCommand command) {
  command.add_option("--shared-alpha", shared_alpha, "How long a message occupies a resource that all ranks share; 0")
      .type_name("TIME");
  command.add_option("--shared-beta", shared_beta, "How long each of its bytes occupies that resource; 0")
      .type_name("TIME");
  command.add_option("--burst", burst, "Bytes that a link passes at once after a pause; 0").type_name("BYTES");
}

Network NetworkOptions::network(const Network& base) const {
  Network network = base;
  const auto set = [](const char* option, const std::string& given, double& value) {
    if (!given.empty()) value = parse_time(option, given);
  };
  set("--alpha", alpha, network.alpha);
  set("--beta", beta, network.beta);
  set("--gamma", gamma, network.gamma);
  set("--latency", latency, network.latency);
  set("--shared-alpha", shared_alpha, network.shared_alpha);
  set("--shared-beta", shared_beta, network.shared_beta);
  if (!burst.empty()) network.burst = static_cast<double>(parse_bytes("--burst", burst));
  return network;
}

}  // namespace cohort
