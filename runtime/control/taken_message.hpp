// What receive_any took, as it travels between the processes and the launcher's record.
#pragma once

#include "runtime/recorded_receives.hpp"

namespace cohort {

namespace process::v1 {
class Taken;
}

void write(const Taken& taken, process::v1::Taken& message);
void write(const AnyChannel& channel, const std::vector<Rank>& sources, process::v1::Taken& message);

// Puts what it says where it belongs. What makes no sense is left out.
void read(const process::v1::Taken& message, Sources& sources);

}  // namespace cohort
