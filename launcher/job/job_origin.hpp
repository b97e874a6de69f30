// SPDX-License-Identifier: Apache-2.0
// What the launcher's own process contributes to a job.
#pragma once

#include <cstdint>

#include "launcher/host/machine.hpp"
#include "launcher/host/signal_settings.hpp"
#include "runtime/secret.hpp"

namespace cohort {

struct JobOrigin {
  std::uint64_t id = 0;  // a random number
  Secret secret{};
  SignalSettings signals;  // with which the processes start
  Machine here;            // the machine of the local hosts
};

}  // namespace cohort
