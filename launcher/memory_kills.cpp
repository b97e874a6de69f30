#include "launcher/memory_kills.hpp"

#include <fstream>
#include <string>

namespace cohort {

std::uint64_t memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::uint64_t count = 0;
  for (std::string name; file >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

}  // namespace cohort
