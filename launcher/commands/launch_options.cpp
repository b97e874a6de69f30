// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/launch_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "launcher/commands/overrides.hpp"
#include "launcher/commands/quantities.hpp"
#include "launcher/host/environment.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/host/spawn.hpp"
#include "launcher/job/job_directory.hpp"
#include "launcher/job/shell/job_shell.hpp"
#include "launcher/network/interfaces.hpp"
#include "launcher/remote/shell_words.hpp"
#include "launcher/usage_error.hpp"
#include "runtime/control/control_frames.hpp"

namespace cohort {

namespace {

using process::v1::Settings;

constexpr int most_ranks = 1'000'000;

int parse_ranks(const std::string& text) {
  int ranks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
  if (error != std::errc() || end != text.data() + text.size() || ranks < 1 || ranks > most_ranks) {
    throw UsageError("-n: the number of processes is a whole number from 1 to " + std::to_string(most_ranks) +
                     ", not '" + text + "'");
  }
  return ranks;
}

double parse_seconds(const std::string& option, const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0) || seconds > 1e9) {
    throw UsageError(option + ": a number of seconds is needed, not '" + text + "'");
  }
  return seconds;
}

// FIRST-LAST, or one port. Throws UsageError if the ports are too few for one of these hosts.
PortRange parse_ports(const std::string& text, const std::vector<HostPlan>& hosts) {
  const std::size_t dash = text.find('-');
  const auto port = [](const std::string& number) {
    return static_cast<std::uint16_t>(parse_whole("--ports", number, 1, 65535));
  };
  const std::uint16_t first = port(text.substr(0, dash));
  const PortRange range{first, dash == std::string::npos ? first : port(text.substr(dash + 1))};
  if (range.last < range.first) throw UsageError("--ports: the last is before the first in '" + text + "'");
  const int found = range.last - range.first + 1;
  for (const HostPlan& host : hosts) {
    const int ours = hosts.size() == 1 ? 0 : host.local ? 2 : 1;  // for the measurement, and the launcher's own port
    if (host.count + ours > found) {
      throw UsageError("--ports: " + std::to_string(found) + " are too few for " + host.name + ", which needs " +
                       std::to_string(host.count + ours));
    }
  }
  return range;
}

std::vector<std::string> exported(const std::vector<std::string>& exports) {
  std::vector<std::string> settings;
  for (const std::string& entry : exports) {
    if (entry.empty() || entry.front() == '=')
      throw UsageError("-x: NAME or NAME=VALUE is needed, not '" + entry + "'");
    const std::string name = entry.substr(0, entry.find('='));
    if (name == control_variable) throw UsageError("-x " + entry + ": this variable is how a process finds its agent");
    if (tells_the_place(name)) throw UsageError("-x " + entry + ": this variable tells each process its own place");
    if (entry.find('=') != std::string::npos) {
      settings.push_back(entry);
      continue;
    }
    const char* value = std::getenv(entry.c_str());
    if (value == nullptr) throw UsageError("-x " + entry + ": there is no such variable here");
    settings.push_back(entry + "=" + value);
  }
  return settings;
}

// The options that each process must know. Each option sets a field of the message that the processes get.
struct ForProcesses {
  CliCommand command;
  Settings& settings;

  void flag(const char* name, void (Settings::*set)(bool), const char* what) const {
    command.add_flag(
        name, [&to = settings, set](bool on) { (to.*set)(on); }, what);
  }
  void seconds(const std::string& name, void (Settings::*set)(double), const char* usually, const char* what) const {
    (settings.*set)(parse_seconds(name, usually));
    const auto given = [&to = settings, set, name](const std::string& text) { (to.*set)(parse_seconds(name, text)); };
    command.add_option(name, given, what).type_name("SECONDS").default_str(usually);
  }
  // The value is the word's number. The first word is the default.
  template <class Value>
  void one_of(const char* name, void (Settings::*set)(Value), const std::vector<std::string>& words,
              const char* what) const {
    const auto given = [&to = settings, set, words](const std::string& word) {
      (to.*set)(static_cast<Value>(std::ranges::find(words, word) - words.begin()));
    };
    command.add_option(name, given, what).type_name(fmt::format("{}", fmt::join(words, "|"))).one_of(words);
  }
};

}  // namespace

int LaunchOptions::processes() const { return parse_ranks(ranks); }

std::vector<HostEntry> LaunchOptions::entries() const {
  if (!hostfile.empty()) return read_hostfile(hostfile);
  return hosts.empty() ? std::vector<HostEntry>{} : parse_hosts(hosts);
}

JobPlan LaunchOptions::hosts_plan() const {
  const std::vector<HostEntry> all = entries();
  int slots = 0;
  for (const HostEntry& host : all) slots += std::max(host.slots, 1);
  return plan_at(all, std::max(slots, 1));
}

JobPlan LaunchOptions::plan_at(const std::vector<HostEntry>& entries, int ranks) const {
  JobPlan plan;
  plan.ranks = ranks;
  plan.hosts = place(plan.ranks, entries);
  plan.remote_shell = split_words(remote_shell);
  if (plan.remote_shell.empty()) throw UsageError("--rsh: the command is empty");
  plan.shells_at_once = static_cast<int>(parse_whole("--rsh-at-once", shells_at_once, 1, most_ranks));
  plan.interface = interface;
  if (!plan.interface.empty()) address_of_interface(plan.interface);  // throws before any process is started
  if (!ports.empty()) plan.ports = parse_ports(ports, plan.hosts);
  return plan;
}

JobPlan LaunchOptions::plan(std::string program, std::vector<std::string> arguments) const {
  JobPlan plan = plan_at(entries(), processes());
  if (settings.transport() == Settings::SHARED && plan.hosts.size() > 1) {
    throw UsageError("--transport shared: the job has several hosts, and memory is shared within a host only");
  }
  plan.program = std::move(program);
  plan.arguments = std::move(arguments);
  plan.environment = exported(exports);
  if (!tuning.empty()) plan.tuning = read_tuning(tuning);
  if (!faults.empty()) plan.faults = read_faults(faults, plan.ranks, fresh_seed());
  override_choices(plan.tuning.choices, environment_with(plan.environment));
  std::error_code error;
  plan.directory = std::filesystem::current_path(error).string();
  if (error) throw UsageError("the working directory is gone: " + error.message());
  plan.label = label;
  plan.mpi = mpi;
  plan.settings = settings;
  plan.settings.set_record(!record.empty());
  plan.settings.set_replay(!replay.empty());
  if (!settings.develop() && !(record + replay).empty()) {
    throw UsageError(std::string(record.empty() ? "--replay" : "--record") + " needs --mode develop");
  }
  if (settings.synchronous() && !settings.develop()) throw UsageError("--synchronous needs --mode develop");
  if (!replay.empty()) plan.replay = read_receive_record(replay, plan.ranks);
  if (!record.empty()) begin_receive_record(record);
  plan.record = record;
  plan.stall_limit_s = parse_seconds("--stall-limit", stall_limit);
  if (!timeout.empty()) plan.timeout_s = parse_seconds("--timeout", timeout);
  plan.join_timeout_s = parse_seconds("--join-timeout", join_timeout);
  return plan;
}

void LaunchOptions::add_hosts_to(CliCommand command) {
  const Option hosts_option = command.add_option("--hosts", hosts, "The hosts to run on; 'localhost' is this one")
                                  .type_name("H[:SLOTS],...")
                                  .not_empty("names no host");
  command.add_option("--hostfile", hostfile, "The same, from a file: one 'HOST' or 'HOST slots=N' a line")
      .type_name("FILE")
      .excludes(hosts_option);
  command.add_option("--rsh", remote_shell, "The remote shell, called as RSH HOST COMMAND")
      .type_name("COMMAND")
      .capture_default_str();
  command.add_option("--rsh-at-once", shells_at_once, "How many remote shells may start at once")
      .type_name("N")
      .capture_default_str();
  command.add_option("--interface", interface, "The network for control and data, on all hosts").type_name("NAME|CIDR");
  command
      .add_option("--ports", ports,
                  "The ports to listen at: one for each process on its host, and one more on this host")
      .type_name("FIRST-LAST");
}

void LaunchOptions::add_to(CliCommand command) {
  command.begin_group(manual::job_options);
  command.add_option("-n", ranks, "How many processes; -np, too").required().type_name("P");
  add_hosts_to(command);
  command.add_option("-x", exports, "A variable for all processes; without a value, it has the value of this shell")
      .type_name("NAME[=VALUE]")
      .one_value();
  command.add_option("--tuning", tuning, "What the network costs, as cohort tune writes it").type_name("FILE");
  command.add_option("--faults", faults, "Faults to be injected: what is to go wrong, with whom, and when")
      .type_name("FILE");
  command.add_flag("--label", label, "Begin each line of output with its rank");
  command.add_flag("--mpi,!--no-mpi", mpi,
                   "Whether programs of Open MPI and MPICH run on Cohort's libraries; by default they do");
  command.add_option("--timeout", timeout, "End the job after this time").type_name("SECONDS");
  command
      .add_option("--join-timeout", join_timeout,
                  "End the job if this long after the first process not all have joined; 0: never")
      .type_name("SECONDS")
      .capture_default_str();
  const ForProcesses each{command, settings};
  each.seconds("--patience", &Settings::set_patience, "30",
               "Report what every process is doing when one has waited for this long; 0: never");
  each.flag("--stacks", &Settings::set_stacks,
            "Add to that report the stacks of processes outside of the library, read by gdb");
  each.one_of("--mode", &Settings::set_develop, {"run", "develop"},
              "develop: look also for mistakes whose search takes time");
  each.flag("--synchronous", &Settings::set_synchronous,
            "In develop mode, a send waits until its receive has been called");
  each.one_of("--on-failure", &Settings::set_goes_on, {"abort", "continue"},
              "When a process is lost: end the job, or go on with the survivors");
  const Option record_option =
      command.add_option("--record", record, "Write the source of each receive_any to this file (develop mode)")
          .type_name("FILE");
  command.add_option("--replay", replay, "Give each receive_any the source that was recorded in this file")
      .type_name("FILE")
      .excludes(record_option);
  each.seconds("--host-limit", &Settings::set_host_limit, "5",
               "When a host or a link is cut, all processes know within this time; 0: no limit");
  command
      .add_option("--stall-limit", stall_limit, "A process that is stopped for this long counts as lost; 0: no limit")
      .type_name("SECONDS")
      .capture_default_str();
  each.one_of("--transport", &Settings::set_transport, {"auto", "tcp", "shared"},
              "How processes of one host talk: auto: through memory where they can; shared: in no other way");
  settings.set_barrier(true);
  each.flag("--barrier,!--no-barrier", &Settings::set_barrier,
            "Whether each collective is a barrier, too; by default it is");
  each.flag("--progress-thread", &Settings::set_progress_thread,
            "A thread in each process drives started operations while the program computes");
}

int run_job(JobPlan plan) {
  take_signals();
  hide_memory();
  Warden warden([launcher = ::getpid()] { forget_job(launcher); });  // early: the process is small, has one thread
  raise_descriptor_limit();                                          // strangers must not use up those for agents
  asio::io_context loop;
  JobShell job(loop, warden, std::move(plan));
  return job.run();
}

}  // namespace cohort
