// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/info.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cohort::mpi {
namespace {

// The arguments of this process: each ends with a null character.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Info& make_environment() {
  Info& info = make_predefined<Info>();
  std::string line = command_line();
  if (!line.empty()) line.pop_back();
  const std::size_t end = std::min(line.find('\0'), line.size());
  info.set("command", line.substr(0, end));
  std::string arguments = line.substr(std::min(end + 1, line.size()));
  std::ranges::replace(arguments, '\0', ' ');
  if (!arguments.empty()) info.set("argv", arguments);
  if (utsname system; uname(&system) == 0) {
    info.set("host", system.nodename);
    info.set("arch", system.machine);
  }
  std::error_code none;
  if (const auto folder = std::filesystem::current_path(none); !none) info.set("wdir", folder.string());
  return info;
}

}  // namespace

Info& Info::environment() {
  static Info& info = make_environment();
  return info;
}

void Info::set(std::string_view key, std::string_view value) {
  const auto found = std::ranges::find(entries_, key, &std::pair<std::string, std::string>::first);
  if (found != entries_.end()) {
    found->second = value;
  } else {
    entries_.emplace_back(key, value);
  }
}

const std::string* Info::get(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &std::pair<std::string, std::string>::first);
  return found == entries_.end() ? nullptr : &found->second;
}

bool Info::remove(std::string_view key) {
  return std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; }) != 0;
}

}  // namespace cohort::mpi
