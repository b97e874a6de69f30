#include "launcher/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace cohort {

namespace {

std::optional<double> quota_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return std::nullopt;
  return std::stod(quota) / period;
}

std::optional<double> quota_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
  std::ifstream period_file(folder + "/cpu.cfs_period_us");
  double quota = -1;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

// The least quota of a control group and all those that hold it.
template <typename Quota>
double least_quota(const std::string& mount, std::string group, Quota quota, double least) {
  for (;;) {
    if (const std::optional<double> found = quota(mount + group)) least = std::min(least, *found);
    if (group.empty() || group == "/") return least;
    group.erase(group.rfind('/'));
  }
}

}  // namespace

int usable_cores() {
  cpu_set_t set;
  double cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user.slice" or "4:cpu,cpuacct:/user.slice"
    std::istringstream fields(line);
    std::string number;
    std::string controllers;
    std::string group;
    std::getline(fields, number, ':');
    std::getline(fields, controllers, ':');
    std::getline(fields, group);
    if (controllers.empty()) {
      cores = least_quota("/sys/fs/cgroup", group, quota_v2, cores);
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      cores = least_quota("/sys/fs/cgroup/cpu", group, quota_v1, cores);
    }
  }
  return std::max(1, static_cast<int>(std::ceil(cores)));
}

}  // namespace cohort
