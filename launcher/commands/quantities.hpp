// SPDX-License-Identifier: Apache-2.0
// Numbers as people type them on a command line. Throws UsageError that names the option if a number can't be read.
#pragma once

#include <string>

#include "cohort/types.hpp"

namespace cohort {

Count parse_whole(const std::string& option, const std::string& text, Count lowest, Count highest);

// In seconds: "50us", "1.5 ms", "80ns", "0.2", "50e-6".
double parse_time(const std::string& option, const std::string& text);

// "65536", "64K", "64KB", "64KiB", "1.5m": powers of 1,024 in all spellings.
Count parse_bytes(const std::string& option, const std::string& text, Count lowest = 0);

}  // namespace cohort
