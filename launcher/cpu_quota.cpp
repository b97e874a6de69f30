#include "launcher/cpu_quota.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

namespace cohort {
namespace {

std::optional<double> quota_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;  // "max" is no number
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

bool lists(const std::string& comma_separated, const std::string& word) {
  return ("," + comma_separated + ",").find("," + word + ",") != std::string::npos;
}

// A mounted hierarchy of control groups that can hold quotas: the part of it below the group `top`.
struct Hierarchy {
  bool v2 = false;
  std::string top;
  std::string folder;
};

// "31 23 0:28 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup rw,cpu,cpuacct"
std::optional<Hierarchy> hierarchy(const std::string& mount) {
  std::istringstream text(mount);
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (dash - words.begin() < 6 || words.end() - dash < 4) return std::nullopt;
  const std::string& top = words[3] == "/" ? "" : words[3];
  if (dash[1] == "cgroup2") return Hierarchy{true, top, words[4]};
  if (dash[1] == "cgroup" && lists(dash[3], "cpu")) return Hierarchy{false, top, words[4]};
  return std::nullopt;
}

// The group of this process in v2 ("0::/user.slice"), or in v1's hierarchy of the processor ("4:cpu,cpuacct:/a").
std::string group_of_process(const std::string& root, bool v2) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (v2 ? controllers.empty() : lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return "";
}

}  // namespace

double cpu_quota(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Hierarchy> mounted = hierarchy(line);
    if (!mounted) continue;
    // A container may see the host's names of groups, and its own group mounted: what lies above it is out of sight.
    std::string group = group_of_process(root, mounted->v2);
    if (group.starts_with(mounted->top + "/")) group.erase(0, mounted->top.size());
    for (;;) {
      const std::string folder = root + mounted->folder + group;
      if (const auto quota = mounted->v2 ? quota_v2(folder) : quota_v1(folder)) least = std::min(least, *quota);
      if (group.empty()) break;
      const std::size_t slash = group.rfind('/');
      group.erase(slash == std::string::npos ? 0 : slash);
    }
  }
  return least;
}

}  // namespace cohort
