// SPDX-License-Identifier: Apache-2.0
// The source of a receive_any, as it travels between the processes and the launcher's record.
#pragma once

#include "runtime/recorded_receives.hpp"

namespace cohort {

namespace process::v1 {
class Taken;
}

void write(const Taken& taken, process::v1::Taken& message);
void write(const AnyChannel& channel, const std::vector<Rank>& sources, process::v1::Taken& message);

// Adds the message's source to `sources`. Leaves out a message that makes no sense.
void read(const process::v1::Taken& message, Sources& sources);

}  // namespace cohort
