// How often the system has killed a process for want of memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace cohort {

// Of those in this process's control group, where groups are counted; else of the machine's. 0 where the system does
// not tell. The files are those below `root`, /proc and what is mounted.
std::uint64_t memory_kills(const std::string& root = "");

// Which deaths these explain: each kill explains one.
class MemoryDeaths {
 public:
  explicit MemoryDeaths(std::string root = "") : root_(std::move(root)), explained_(memory_kills(root_)) {}

  // That of a process that has ended so, if it was killed; a shell's status may tell that of what it ran.
  bool explain(int wait_status);

 private:
  const std::string root_;
  std::uint64_t explained_;
};

}  // namespace cohort
