// What the launcher's process has for a job.
#pragma once

#include <cstdint>

#include "launcher/host/machine.hpp"
#include "launcher/host/signal_settings.hpp"
#include "runtime/secret.hpp"

namespace cohort {

struct JobOrigin {
  std::uint64_t id = 0;  // a random number
  Secret secret{};
  SignalSettings signals;  // that the processes begin with
  Machine here;            // of the hosts that are this one
};

}  // namespace cohort
