// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/cpu_quota.hpp"

#include <sys/stat.h>

#include <fstream>
#include <optional>

#include "launcher/host/control_groups.hpp"

namespace cohort {
namespace {

std::optional<double> quota_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;  // "max": no quota
  return quota / period;
}

std::optional<double> quota_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
  std::ifstream period_file(folder + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::string identity(const std::string& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return folder;
  return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
}

}  // namespace

CpuQuota cpu_quota(const std::string& root) {
  CpuQuota least;
  for (const auto& [v2, folder] : control_groups("cpu", root)) {
    const auto quota = v2 ? quota_v2(folder) : quota_v1(folder);
    if (quota && *quota < least.processors) least = {*quota, identity(folder)};
  }
  return least;
}

}  // namespace cohort
