#include "launcher/host/memory_kills.hpp"

#include <csignal>
#include <fstream>
#include <optional>

#include "launcher/host/control_groups.hpp"
#include "launcher/host/endings.hpp"

namespace cohort {
namespace {

std::optional<std::uint64_t> kills_in(const std::string& file_name) {
  std::ifstream file(file_name);
  std::uint64_t count = 0;
  for (std::string name; file >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return std::nullopt;
}

}  // namespace

// Others' kills on a machine that is shared must not explain a death here.
std::uint64_t memory_kills(const std::string& root) {
  for (const auto& [v2, folder] : control_groups("memory", root)) {
    if (const auto count = kills_in(folder + (v2 ? "/memory.events" : "/memory.oom_control"))) return *count;
  }
  return kills_in(root + "/proc/vmstat").value_or(0);
}

bool MemoryDeaths::explain(int wait_status) {
  if (exit_code(wait_status) != 128 + SIGKILL || memory_kills(root_) <= explained_) return false;
  ++explained_;
  return true;
}

}  // namespace cohort
