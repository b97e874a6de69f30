// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace cohort {
namespace {

bool lists(const std::string& comma_separated, const std::string& word) {
  return ("," + comma_separated + ",").find("," + word + ",") != std::string::npos;
}

// A mounted hierarchy of control groups: the part of it below the group `top`.
struct Hierarchy {
  bool v2 = false;
  std::string top;
  std::string folder;
};

// "31 23 0:28 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup rw,cpu,cpuacct"
std::optional<Hierarchy> hierarchy(const std::string& mount, const std::string& controller) {
  std::istringstream text(mount);
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (dash - words.begin() < 6 || words.end() - dash < 4) return std::nullopt;
  const std::string& top = words[3] == "/" ? "" : words[3];
  if (dash[1] == "cgroup2") return Hierarchy{true, top, words[4]};
  if (dash[1] == "cgroup" && lists(dash[3], controller)) return Hierarchy{false, top, words[4]};
  return std::nullopt;
}

// The group of the process in v2 ("0::/user.slice"), or in v1's hierarchy of the controller ("4:cpu,cpuacct:/a").
std::string group_of(const std::string& process, const std::string& root, bool v2, const std::string& controller) {
  std::ifstream groups(root + "/proc/" + process + "/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (v2 ? controllers.empty() : lists(controllers, controller)) return line.substr(second + 1);
  }
  return "";
}

}  // namespace

std::vector<ControlGroup> control_groups(const std::string& controller, const std::string& root,
                                         const std::string& process) {
  std::vector<ControlGroup> groups;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Hierarchy> mounted = hierarchy(line, controller);
    if (!mounted) continue;
    // A container may see the host's names of groups, but has only its own group mounted. Removes the part of the name
    // above the mounted group.
    std::string group = group_of(process, root, mounted->v2, controller);
    if (group.starts_with(mounted->top + "/")) group.erase(0, mounted->top.size());
    for (;;) {
      groups.push_back({mounted->v2, root + mounted->folder + group});
      if (group.empty()) break;
      const std::size_t slash = group.rfind('/');
      group.erase(slash == std::string::npos ? 0 : slash);
    }
  }
  return groups;
}

}  // namespace cohort
