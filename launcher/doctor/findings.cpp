// SPDX-License-Identifier: Apache-2.0
#include "launcher/doctor/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace cohort::doctor {
namespace {

constexpr double clocks_alike_s = 0.5;
constexpr double times_slower = 4;          // than the median of all pairs
constexpr double short_latency_s = 200e-6;  // what is added within this time depends on what the hosts do just now

// What to do about a host that could not be reached, by words of the remote shell and of the launcher. The first that
// stands in the cause counts; a name that does not resolve here is told with any cause.
struct Remedy {
  const char* words;
  const char* to_do;
};
constexpr Remedy remedies[] = {
    {"Permission denied",
     "let it in without a password: ssh-copy-id {host}, and a running ssh-agent if the key has a passphrase"},
    {"Host key verification failed", "connect once by hand, and confirm the host's key: ssh {host}"},
    {"HOST IDENTIFICATION HAS CHANGED", "find out why the host has another key, then: ssh-keygen -R {host}"},
    {"Could not resolve hostname", "write the name into DNS or /etc/hosts, or name the host by its address"},
    {"cannot reach the launcher",
     "open this host's ports for that one (--ports FIRST-LAST), or choose the network (--interface)"},
    {"Connection refused", "start an ssh server there, or say with --rsh how to reach the host"},
    {"No route to host", "look whether the host is up, and on a network that this one reaches"},
    {"timed out", "look whether the host is up, and whether a firewall drops what is sent to it"},
    {"cohort there is of version", "install the same version of Cohort on all hosts"},
    {"orders of another version", "install the same version of Cohort on all hosts"},
    {"orders that make no sense", "install the same version of Cohort on all hosts"},
    {"not found", "install Cohort on that host at the same path as here: {program}"},
    {"No such file", "install Cohort on that host at the same path as here: {program}"},
    {"has not called back", "look whether the remote shell waits for something: {shell} {host} true"},
    {"does not resolve here", "write the name into DNS or /etc/hosts, or name the host by its address"},
};

std::string remedy_for(const Facts& facts, const HostFacts& host) {
  for (const Remedy& remedy : remedies) {
    if (host.trouble.find(remedy.words) == std::string::npos) continue;
    return fmt::format(fmt::runtime(remedy.to_do), fmt::arg("host", host.name), fmt::arg("program", facts.program),
                       fmt::arg("shell", facts.remote_shell));
  }
  return fmt::format("try it by hand: {} {} true", facts.remote_shell, host.name);
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

// The lowest: of four hosts a slow one is in half of the pairs.
double quartile(std::vector<double> values) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::ranges::nth_element(values, place);
  return *place;
}

class Search {
 public:
  explicit Search(const Facts& facts) : facts_(facts) {}

  std::vector<Finding> all() {
    for (const HostFacts& host : facts_.hosts) {
      if (!host.is_well()) {
        problem(host.name + ": " + host.trouble, remedy_for(facts_, host));
        continue;
      }
      ports(host);
      address(host);
      program(host);
      clock(host);
    }
    names();
    machines();
    connections();
    slow_pairs(
        "latency", [](const Network& network) { return latency_of(network); }, short_latency_s);
    slow_pairs(
        "time for each byte", [](const Network& network) { return network.beta; }, 0);
    return std::move(findings_);
  }

 private:
  void problem(std::string what, std::string to_do) { findings_.push_back({true, std::move(what), std::move(to_do)}); }
  void note(std::string what, std::string to_do) { findings_.push_back({false, std::move(what), std::move(to_do)}); }

  // A host that can't be reached says so itself.
  void names() {
    std::vector<std::string> unknown;
    std::string reason;
    for (const HostFacts& host : facts_.hosts) {
      if (host.unresolved.empty() || !host.is_well()) continue;
      unknown.push_back(host.name);
      reason = host.unresolved;
    }
    if (unknown.empty()) return;
    note(fmt::format("only the remote shell knows {}, which here does not resolve: {}", fmt::join(unknown, ", "),
                     reason),
         "nothing, if the shell's configuration has such names, as ssh's has in Host");
  }

  void ports(const HostFacts& host) {
    const int ours = facts_.hosts.size() == 1 ? 0 : host.local ? 2 : 1;
    if (host.free_ports < 0 || host.free_ports >= host.processes + ours) return;
    problem(fmt::format("{}: {} of the {} ports {}-{} are free, and {} processes need {}", host.name, host.free_ports,
                        facts_.ports.last - facts_.ports.first + 1, facts_.ports.first, facts_.ports.last,
                        host.processes, host.processes + ours),
            "take a wider range (--ports), or end what listens there: ss -tlnp");
  }

  void address(const HostFacts& host) {
    const bool others = std::ranges::any_of(facts_.hosts, [&](const HostFacts& other) {
      return other.is_well() && !other.boot.empty() && other.boot != host.boot;
    });
    if (!others || !is_loopback(host.address)) return;
    problem(fmt::format("{}: its processes would listen at {}, which other hosts can't reach", host.name, host.address),
            fmt::format("choose the network with --interface; it has {}", fmt::join(host.addresses, ", ")));
  }

  // The remote shell was given this host's path: there, links lead elsewhere.
  void program(const HostFacts& host) {
    if (host.program.empty() || host.program == facts_.program) return;
    note(fmt::format("{}: cohort is {} there, and {} here", host.name, host.program, facts_.program),
         "nothing, if that is the same installation by another path");
  }

  void clock(const HostFacts& host) {
    if (!host.clock) return;
    const double seconds = host.clock->seconds;
    if (std::abs(seconds) < std::max(clocks_alike_s, host.clock->error_s)) return;
    note(fmt::format("{}: its clock is {:.1f} s {} this one", host.name, std::abs(seconds),
                     seconds > 0 ? "ahead of" : "behind"),
         "nothing for Cohort, which trusts no clock; for logs and file times let a time service set it: timedatectl "
         "set-ntp true");
  }

  void machines() {
    std::map<std::string, std::vector<std::string>> on_machine;
    for (const HostFacts& host : facts_.hosts) {
      if (host.is_well() && !host.boot.empty()) on_machine[host.boot].push_back(host.name);
    }
    for (const auto& [boot, names] : on_machine) {
      if (names.size() < 2) continue;
      note(fmt::format("{} are one machine: they share its cores", fmt::join(names, ", ")),
           "nothing, if they are containers that you know of");
    }
  }

  void connections() {
    for (const PairFacts& pair : facts_.pairs) {
      if (pair.network) continue;
      const HostFacts &from = host(pair.from), &to = host(pair.to);
      if (pair.is_busy) {
        note(fmt::format("{} reaches {} at {}, but could not measure it: {}", from.name, to.name, to.address,
                         pair.trouble),
             "run it again when these hosts have less to do");
        continue;
      }
      problem(fmt::format("{} does not reach {} at {}: {}", from.name, to.name, to.address, pair.trouble),
              facts_.ports.last == 0 ? "open a range of ports between the hosts, and name it (--ports FIRST-LAST), or "
                                       "choose another network (--interface)"
                                     : "open these ports between the hosts, or choose another network (--interface)");
    }
  }

  // A host with slow links only is told as one.
  void slow_pairs(const char* what, const std::function<double(const Network&)>& value, double least) {
    std::vector<double> values;
    for (const PairFacts& pair : facts_.pairs) {
      if (pair.network) values.push_back(value(*pair.network));
    }
    if (values.size() < 3) return;
    const double limit = std::max(times_slower * quartile(values), least);
    const auto is_slow = [&](const PairFacts& pair) { return value(*pair.network) >= limit; };
    const std::string remedy =
        "look at the link (ethtool), at what else uses it, and at which network it is (--interface)";
    std::set<int> slow_hosts;
    for (int number = 0; number < static_cast<int>(facts_.hosts.size()); ++number) {
      const auto has = [&](const PairFacts& pair) {
        return pair.network && (pair.from == number || pair.to == number);
      };
      const auto pairs = std::ranges::count_if(facts_.pairs, has);
      const auto slow =
          std::ranges::count_if(facts_.pairs, [&](const auto& pair) { return has(pair) && is_slow(pair); });
      if (pairs == 0 || slow < pairs) continue;
      slow_hosts.insert(number);
      note(fmt::format("{}: in all its pairs the {} is at least {:g} times that of other pairs", host(number).name,
                       what, times_slower),
           remedy);
    }
    for (const PairFacts& pair : facts_.pairs) {
      if (!pair.network || !is_slow(pair) || slow_hosts.contains(pair.from) || slow_hosts.contains(pair.to)) continue;
      note(fmt::format("from {} to {} the {} is {:.0f} times that of other pairs", host(pair.from).name,
                       host(pair.to).name, what, value(*pair.network) / quartile(values)),
           remedy);
    }
  }

  const HostFacts& host(int number) const { return facts_.hosts.at(static_cast<std::size_t>(number)); }

  const Facts& facts_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findings_of(const Facts& facts) { return Search(facts).all(); }

}  // namespace cohort::doctor
