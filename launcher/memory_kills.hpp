// How often the system has killed a process for want of memory.
#pragma once

#include <cstdint>
#include <string>

namespace cohort {

// Of those in this process's control group, where groups are counted; else of the machine's. 0 where the system does
// not tell. The files are those below `root`, /proc and what is mounted.
std::uint64_t memory_kills(const std::string& root = "");

}  // namespace cohort
