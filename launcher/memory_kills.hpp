// How often this machine's system has killed a process for want of memory, its cgroups' limits included.
#pragma once

#include <cstdint>

namespace cohort {

// 0 where the system does not tell.
std::uint64_t memory_kills();

}  // namespace cohort
