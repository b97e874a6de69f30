// The file of --record and --replay: whom each receive_any of each process took its message from.
#pragma once

#include <string>
#include <vector>

#include "runtime/recorded_receives.hpp"

namespace cohort {

using ReceiveRecord = std::vector<Sources>;  // by pid

std::string to_text(const ReceiveRecord& record);

// Throws UsageError that names the file and the line, also if it is not a record of so many processes.
ReceiveRecord read_receive_record(const std::string& file, int processes);

// Makes the file, before the job begins. Throws UsageError if that can't be.
void begin_receive_record(const std::string& file);

}  // namespace cohort
