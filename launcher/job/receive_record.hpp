// SPDX-License-Identifier: Apache-2.0
// The file of --record and --replay: the source of each receive_any's message, for each process.
#pragma once

#include <string>
#include <vector>

#include "runtime/recorded_receives.hpp"

namespace cohort {

using ReceiveRecord = std::vector<Sources>;  // by pid

std::string to_text(const ReceiveRecord& record);

// Throws UsageError that names the file and the line, also if the file records another number of processes.
ReceiveRecord read_receive_record(const std::string& file, int processes);

// Makes the file, before the job begins. Throws UsageError if the file can't be made.
void begin_receive_record(const std::string& file);

}  // namespace cohort
