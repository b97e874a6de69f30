// SPDX-License-Identifier: Apache-2.0
// A job's tuning as it travels from the launcher to the processes.
#pragma once

#include "collectives/tuning.hpp"

namespace cohort {

namespace process::v1 {
class Network;
class Tuning;
}  // namespace process::v1

void write(const Network& network, process::v1::Network& message);
Network read(const process::v1::Network& message);

// Values that the message lacks keep Tuning's defaults. Throws std::invalid_argument for an algorithm that this library
// does not have.
Tuning read(const process::v1::Tuning& message);

}  // namespace cohort
