// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/hosts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unordered_set>

#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

int parse_slots(const std::string& text, const std::string& entry) {
  int slots = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slots);
  if (error != std::errc() || end != text.data() + text.size() || slots < 1) {
    throw UsageError("'" + entry + "': the slots of a host are a whole number from 1 up, not '" + text + "'");
  }
  return slots;
}

HostEntry parse_entry(const std::string& entry) {
  HostEntry result;
  std::string rest;
  if (entry.front() == '[') {  // an IPv6 address
    const std::size_t close = entry.find(']');
    if (close == std::string::npos) throw UsageError("'" + entry + "': the ']' is missing");
    result.name = entry.substr(1, close - 1);
    rest = entry.substr(close + 1);
  } else {
    const std::size_t colon = entry.find(':');
    result.name = entry.substr(0, colon);
    if (colon != std::string::npos) rest = entry.substr(colon);
  }
  const bool is_name =
      !result.name.empty() && result.name.front() != '-' && result.name.find_first_of(" \t\n") == std::string::npos;
  if (!is_name) throw UsageError("'" + entry + "' is no name of a host");
  if (!rest.empty()) {
    if (rest.front() != ':') throw UsageError("'" + entry + "': expected HOST or HOST:SLOTS");
    result.slots = parse_slots(rest.substr(1), entry);
  }
  return result;
}

bool is_path_of_file(const std::string& entry) {
  std::error_code unreadable;
  return entry.find('/') != std::string::npos && std::filesystem::is_regular_file(entry, unreadable);
}

std::vector<HostEntry> checked(std::vector<HostEntry> hosts, const std::string& where) {
  if (hosts.empty()) throw UsageError(where + " names no host");
  std::unordered_set<std::string> names;
  bool local = false;
  for (const HostEntry& host : hosts) {
    const bool twice = !names.insert(host.name).second || (local && is_this_host(host.name));
    if (twice) throw UsageError(where + ": host " + host.name + " is listed twice; give its slots as HOST:SLOTS");
    local = local || is_this_host(host.name);
  }
  return hosts;
}

std::optional<HostEntry> parse_line(std::string line) {
  line.erase(std::min(line.find('#'), line.size()));
  std::istringstream words(line);
  std::string name;
  if (!(words >> name)) return std::nullopt;
  HostEntry host = parse_entry(name);
  for (std::string word; words >> word;) {
    if (word.rfind("slots=", 0) != 0) throw UsageError("'" + word + "' is unknown; expected HOST or HOST slots=N");
    host.slots = parse_slots(word.substr(6), line);
  }
  return host;
}

}  // namespace

std::vector<HostEntry> parse_hosts(const std::string& list) {
  std::vector<HostEntry> hosts;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    if (entry.empty()) throw UsageError("--hosts: an empty name in '" + list + "'");
    if (is_path_of_file(entry)) throw UsageError("--hosts: '" + entry + "' is a file; --hostfile reads hosts from one");
    hosts.push_back(parse_entry(entry));
  }
  return checked(std::move(hosts), "--hosts");
}

std::vector<HostEntry> read_hostfile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("--hostfile: cannot read " + path);
  std::vector<HostEntry> hosts;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      if (std::optional<HostEntry> host = parse_line(line)) hosts.push_back(std::move(*host));
    } catch (const UsageError& error) {
      throw UsageError("--hostfile: " + path + ", line " + std::to_string(number) + ": " + error.what());
    }
  }
  return checked(std::move(hosts), "--hostfile: " + path);
}

std::vector<HostPlan> place(int ranks, const std::vector<HostEntry>& hosts) {
  if (hosts.empty()) return {{this_host(), true, 0, ranks}};
  const int count = static_cast<int>(hosts.size());
  const bool slots_given = std::any_of(hosts.begin(), hosts.end(), [](const HostEntry& h) { return h.slots > 0; });
  long slots = 0;
  for (const HostEntry& host : hosts) slots += std::max(host.slots, 1);
  if (slots_given && ranks > slots) {
    throw UsageError("-n " + std::to_string(ranks) + ": the hosts have " + std::to_string(slots) +
                     " slots; give more, or none at all to spread the ranks evenly");
  }

  std::vector<HostPlan> plan;
  Pid next = 0;
  for (int i = 0; i < count && next < ranks; ++i) {
    const HostEntry& host = hosts[static_cast<std::size_t>(i)];
    const int share = slots_given ? std::max(host.slots, 1) : ranks / count + (i < ranks % count ? 1 : 0);
    const int here = std::min(share, ranks - next);
    const bool local = is_this_host(host.name);
    plan.push_back({host.name, local, next, here});
    next += here;
  }
  return plan;
}

std::string this_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

bool is_this_host(const std::string& name) {
  return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == this_host();
}

}  // namespace cohort
