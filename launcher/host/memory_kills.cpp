// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/memory_kills.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "launcher/host/control_groups.hpp"
#include "launcher/host/endings.hpp"

namespace cohort {
namespace {

std::string machine_counter(const std::string& root) { return root + "/proc/vmstat"; }

std::optional<std::uint64_t> kills_in(const std::string& file_name) {
  std::ifstream file(file_name);
  std::uint64_t count = 0;
  for (std::string name; file >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return std::nullopt;
}

// The file that counts the kills in the process's group, or in the nearest enclosing group that has a count.
std::string nearest_counter(const std::string& process, const std::string& root) {
  for (const auto& [v2, folder] : control_groups("memory", root, process)) {
    std::string file = folder + (v2 ? "/memory.events" : "/memory.oom_control");
    if (kills_in(file)) return file;
  }
  return machine_counter(root);
}

// Whether the first file also counts the kills of the second: both are of version 2, and its group encloses the
// second's.
bool counts_of(const std::string& outer, const std::string& inner) {
  const std::string name = "memory.events";
  return outer.ends_with("/" + name) && inner.starts_with(outer.substr(0, outer.size() - name.size()));
}

std::string text_in(const std::string& file_name) {
  std::ostringstream text;
  text << std::ifstream(file_name).rdbuf();
  return text.str();
}

}  // namespace

std::uint64_t memory_kills(const std::string& root) { return kills_in(nearest_counter("self", root)).value_or(0); }

MemoryDeaths::MemoryDeaths(std::string root)
    : root_(std::move(root)),
      machine_(machine_counter(root_)),
      own_(nearest_counter("self", root_)),
      machine_before_(kills_in(machine_).value_or(0)) {
  explained_[own_] = kills_in(own_).value_or(0);
  explained_[machine_] = machine_before_;
}

// Kills counted before the previous look are taken as explained. A newer kill may belong to a death that is not
// reported yet.
void MemoryDeaths::look(const std::vector<pid_t>& processes) {
  if (own_ != machine_) explained_[machine_] = std::max(explained_[machine_], machine_before_);
  machine_before_ = kills_in(machine_).value_or(0);
  for (const pid_t process : processes) {
    const std::string number = std::to_string(process);
    std::string groups = text_in(root_ + "/proc/" + number + "/cgroup");
    if (groups.empty()) continue;
    Seen& seen = seen_[process];
    if (groups == seen.groups) continue;
    seen = {std::move(groups), nearest_counter(number, root_)};
    explained_.try_emplace(seen.counter, kills_in(seen.counter).value_or(0));
  }
}

bool MemoryDeaths::explained_by(const std::string& counter) {
  const std::optional<std::uint64_t> kills = kills_in(counter);
  if (!kills || *kills <= explained_[counter]) return false;
  ++explained_[counter];
  return true;
}

// The enclosing groups of version 2 have counted this kill too, and so has the machine.
bool MemoryDeaths::explained_by_group(const std::string& counter) {
  if (counter == machine_ || !explained_by(counter)) return false;
  for (const auto& [other, count] : explained_) {
    if (other == machine_ || (other != counter && counts_of(other, counter))) explained_by(other);
  }
  return true;
}

bool MemoryDeaths::explain(int wait_status, const std::vector<pid_t>& processes) {
  std::vector<std::string> counters{own_};
  for (const pid_t process : processes) {
    if (const auto seen = seen_.extract(process)) counters.insert(counters.begin(), seen.mapped().counter);
  }
  if (exit_code(wait_status) != 128 + SIGKILL) return false;
  return std::ranges::any_of(counters, [this](const std::string& counter) { return explained_by_group(counter); }) ||
         explained_by(machine_);
}

}  // namespace cohort
