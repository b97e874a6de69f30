// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "launcher/host/cores.hpp"
#include "launcher/host/cpu_quota.hpp"

namespace cohort {
namespace {

// "0-3,8": the processors that this process may run on.
std::string allowed_list() {
  const std::string key = "Cpus_allowed_list:";
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == key && status >> word) return word;
  }
  return "";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> machine.boot;
  machine.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  machine.cores = usable_cores();
  machine.limit = allowed_list() + ' ' + cpu_quota().group;
  return machine;
}

int cores_in_common(std::span<const Machine> hosts) {
  const Machine& first = hosts.front();
  if (!std::ranges::all_of(hosts, [&](const Machine& host) { return host.is(first); })) return 0;
  std::map<std::string, int> cores;
  for (const Machine& host : hosts) cores[host.limit] = std::max(host.cores, 1);
  int sum = 0;
  for (const auto& [limit, some] : cores) sum += some;
  return std::min(sum, first.processors);
}

}  // namespace cohort
