// SPDX-License-Identifier: Apache-2.0
// Which hosts a job runs on, and which ranks where.
#pragma once

#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

struct HostEntry {
  std::string name;
  int slots = 0;  // 0: not given
};

// "h1:4,h2,[fe80::1]:2". Throws UsageError, as read_hostfile() and place() do.
std::vector<HostEntry> parse_hosts(const std::string& list);

// One host a line: "h1", "h1:4" or "h1 slots=4"; '#' begins a comment.
std::vector<HostEntry> read_hostfile(const std::string& path);

// The ranks first ... first + count - 1.
struct HostPlan {
  std::string name;
  bool local = true;
  Pid first = 0;
  int count = 0;

  bool has(Pid pid) const { return pid >= first && pid < first + count; }
};

// Fills the hosts in order. Without any slots, ranks are spread evenly. With some, a host without a number has one
// slot, and more ranks than slots are an error. Hosts without a rank are left out. An empty list means this host.
std::vector<HostPlan> place(int ranks, const std::vector<HostEntry>& hosts);

// Whether `name` names the host that this program runs on.
bool is_this_host(const std::string& name);
std::string this_host();

}  // namespace cohort
