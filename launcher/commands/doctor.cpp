// SPDX-License-Identifier: Apache-2.0
// cohort doctor: looks at hosts as a job would use them, and says what is wrong and what to do.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <iostream>
#include <memory>

#include "launcher/commands/commands.hpp"
#include "launcher/commands/launch_options.hpp"
#include "launcher/commands/progress.hpp"
#include "launcher/commands/table.hpp"
#include "launcher/commands/terminal.hpp"
#include "launcher/doctor/examination.hpp"
#include "launcher/doctor/findings.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/printable.hpp"
#include "runtime/control/control_frames.hpp"

namespace cohort {

namespace {

using doctor::Facts;
using doctor::HostFacts;
using doctor::PairFacts;

constexpr double megabyte = 1e6;
constexpr double host_limit_s = 5;  // as jobs have it

std::string clock_text(const HostFacts& host) {
  if (!host.clock) return "?";
  return fmt::format("{:+.4f} s, within {:.4f}", host.clock->seconds, host.clock->error_s);
}

std::string hosts_table(const Facts& facts) {
  Table table({{"host", false},
               {"name resolves to", false},
               {"address for jobs", false},
               {"agent after"},
               {"cores"},
               {"free ports"},
               {"clock", false}});
  for (const HostFacts& host : facts.hosts) {
    const std::string resolved = host.resolved.empty() ? "nothing" : host.resolved.front();
    if (!host.is_well()) {
      table.add({host.name, resolved, "not reached", "", "", "", ""});
      continue;
    }
    table.add({host.name, resolved, host.address, host.local ? "here" : fmt::format("{:.2f} s", host.shell_s),
               std::to_string(host.cores), host.free_ports < 0 ? "any" : std::to_string(host.free_ports),
               clock_text(host)});
  }
  return table.text();
}

// A row for each host that connects, a column for each that is connected to.
std::string pairs_table(const Facts& facts, const std::string& title,
                        const std::function<std::string(const Network&)>& text) {
  std::vector<Table::Column> columns{{title, false}};
  for (const HostFacts& host : facts.hosts) columns.push_back({host.name});
  Table table(columns);
  for (std::size_t from = 0; from < facts.hosts.size(); ++from) {
    std::vector<std::string> row{facts.hosts[from].name};
    row.resize(facts.hosts.size() + 1, "-");
    for (const PairFacts& pair : facts.pairs) {
      if (pair.from != static_cast<int>(from)) continue;
      row[static_cast<std::size_t>(pair.to) + 1] = pair.network ? text(*pair.network) : pair.is_busy ? "busy" : "none";
    }
    table.add(row);
  }
  return table.text();
}

std::string findings_text(const std::vector<doctor::Finding>& findings, const Terminal& terminal) {
  std::string text;
  for (const doctor::Finding& finding : findings) {
    text += (finding.problem ? terminal.bad("problem") : terminal.doubtful("note   ")) + "  " + finding.what + "\n" +
            "         " + finding.to_do + "\n";
  }
  return text.empty() ? terminal.good("Nothing is wrong.") + "\n" : text;
}

Facts examine(const JobPlan& plan) {
  take_signals();
  hide_memory();
  Warden warden;
  raise_descriptor_limit();
  asio::io_context loop;
  Progress progress;
  return doctor::Examination(loop, warden, plan, [&](const std::string& text) { progress.show(text); }).run();
}

int look(const LaunchOptions& options) {
  JobPlan plan = options.hosts_plan();
  plan.settings.set_host_limit(host_limit_s);
  const Facts facts = examine(plan);
  std::string text = "cohort " COHORT_VERSION ", " + facts.program + "\n\n" + hosts_table(facts);
  if (!facts.pairs.empty()) {
    text += "\n" + pairs_table(facts, "us for a short message", [](const Network& network) {
              return fmt::format("{:.0f}", 1e6 * doctor::latency_of(network));
            });
    text += "\n" + pairs_table(facts, "MB a second", [](const Network& network) {
              return fmt::format("{:.4g}", doctor::bandwidth_of(network) / megabyte);
            });
  }
  const std::vector<doctor::Finding> findings = doctor::findings_of(facts);
  std::cout << printable(text) << "\n" << findings_text(findings, Terminal(STDOUT_FILENO)) << std::flush;
  return std::ranges::any_of(findings, [](const auto& finding) { return finding.problem; }) ? 1 : 0;
}

constexpr const char* doctor_footer = R"(
Goes to each host as a job would: resolves its name, starts an agent there by the remote shell, and lets it call back.
The agent is the same version of cohort at the same path. Then it asks each host for its address, its free ports and its
clock. Last, each pair of hosts connects in both directions and exchanges messages.

The first table has a line for each host. It says what the host's name resolves to, and at which address its processes
would listen. Then come the time until its agent had called back, the cores that a job may use, and the free ports of
--ports. Last comes how far its clock is ahead of this one. The other tables have a line for the host that connects, and a column for the
one that it connects to. Below them are problems, with which a job will not run, and notes; the line below each says what
to do.

With many hosts it takes a while: usually a tenth of a second for each pair, and at most a second. A pair without a
connection takes 10 s.

Exit status: 0; 1 if there is a problem; 2 for a mistake on this command line.

Examples:
  cohort doctor                                        this machine
  cohort doctor --hosts a,b,c                          these, over ssh
  cohort doctor --hostfile hosts --ports 7000-7099     are the ports open between all?)";

}  // namespace

void add_doctor_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<LaunchOptions>();
  const CliCommand command =
      app.add_subcommand("doctor", "Look at hosts: what keeps a job from running there, and what to do");
  options->add_hosts_to(command);
  command.footer(doctor_footer);
  command.callback([options, &action] { action = [options] { return look(*options); }; });
}

}  // namespace cohort
