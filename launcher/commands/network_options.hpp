// SPDX-License-Identifier: Apache-2.0
// The options that describe the network of a model.
#pragma once

#include <string>

#include "collectives/simulator.hpp"
#include "launcher/commands/command_line.hpp"

namespace cohort {

struct NetworkOptions {
  std::string alpha, beta, gamma, latency, shared_alpha, shared_beta, burst;
  bool simplex = false;

  void add_to(CliCommand command);
  void add_shared_to(CliCommand command);
  Network network(const Network& base = {}) const;  // the base, with the given options in place of its values
  Ports ports() const { return simplex ? Ports::simplex : Ports::duplex; }
};

}  // namespace cohort
