// cohort run: from its options to a job.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "launcher/commands.hpp"
#include "launcher/interfaces.hpp"
#include "launcher/running_job.hpp"
#include "launcher/shell_words.hpp"
#include "launcher/usage_error.hpp"
#include "runtime/control/control_frames.hpp"

namespace cohort {

namespace {

constexpr int most_ranks = 1'000'000;

struct RunOptions {
  std::string ranks;
  std::string hosts;
  std::string hostfile;
  std::string remote_shell = "ssh -o BatchMode=yes";
  std::string interface;
  std::vector<std::string> exports;
  std::string timeout;
  std::string join_timeout = "120";
  std::string mode = "run";
  bool label = false;
  bool barrier = true;
};

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

std::vector<std::string> exported(const std::vector<std::string>& exports) {
  std::vector<std::string> settings;
  for (const std::string& entry : exports) {
    if (entry.empty() || entry.front() == '=')
      throw UsageError("-x: NAME or NAME=VALUE is needed, not '" + entry + "'");
    if (entry.substr(0, entry.find('=')) == control_variable)
      throw UsageError("-x " + entry + ": this variable is how a process finds its agent");
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

JobPlan plan_of(const RunOptions& options, std::vector<std::string> command) {
  if (!command.empty() && command.front() == "--") command.erase(command.begin());
  if (command.empty()) throw UsageError("run: which program? Usage: cohort run -n P [OPTIONS] PROGRAM [ARG ...]");
  if (command.front().rfind('-', 0) == 0) throw UsageError("run: unknown option " + command.front());
  if (command.front().empty()) throw UsageError("run: the program's name is empty");

  JobPlan plan;
  plan.ranks = parse_ranks(options.ranks);
  std::vector<HostEntry> hosts;
  if (!options.hosts.empty()) hosts = parse_hosts(options.hosts);
  if (!options.hostfile.empty()) hosts = read_hostfile(options.hostfile);
  plan.hosts = place(plan.ranks, hosts);
  plan.remote_shell = split_words(options.remote_shell);
  if (plan.remote_shell.empty()) throw UsageError("--rsh: the command is empty");
  plan.interface = options.interface;
  if (!plan.interface.empty()) address_of_interface(plan.interface);  // or it throws, before anything is started
  plan.program = command.front();
  plan.arguments.assign(command.begin() + 1, command.end());
  plan.environment = exported(options.exports);
  std::error_code error;
  plan.directory = std::filesystem::current_path(error).string();
  if (error) throw UsageError("the working directory is gone: " + error.message());
  plan.label = options.label;
  plan.barrier = options.barrier;
  plan.develop = options.mode == "develop";
  if (!options.timeout.empty()) plan.timeout_s = parse_seconds("--timeout", options.timeout);
  plan.join_timeout_s = parse_seconds("--join-timeout", options.join_timeout);
  return plan;
}

int run(const RunOptions& options, std::vector<std::string> command) {
  JobPlan plan = plan_of(options, std::move(command));
  Warden warden;  // first: the process is small, and has one thread
  asio::io_context loop;
  RunningJob job(loop, warden, std::move(plan));
  return job.run();
}

constexpr const char* footer = R"(
cohort run -n P [OPTIONS] PROGRAM [ARG ...]

PROGRAM is looked for as a shell does, on each host, and at last beside cohort itself. The processes get ranks 0 ... P-1
in the order of the hosts. Standard input goes to rank 0; output lines of all processes come whole.

Exit status: 0; that of the first process that failed (128 + signal if it was killed); 124 after a timeout; 128 + signal
if cohort itself was told to end (130: Ctrl-C); 141 if nobody reads the output any more; 126 or 127 if PROGRAM could not
be run or found; 1 if a host could not be reached; 2 for a mistake on this command line.

Examples:
  cohort run -n 4 ./program                          four processes on this machine
  cohort run -n 8 --label hostname                   any program; each line says whose it is
  cohort run -n 32 --hosts a:16,b:16 ./program       two machines, over ssh without a password
  cohort run -n 4 --timeout 60 --mode develop ./program   in develop mode, ended after a minute)";

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Start a program as many processes, here or on many hosts");
  command->add_option("-n", options->ranks, "How many processes")->required()->type_name("P");
  CLI::Option* hosts = command->add_option("--hosts", options->hosts, "The hosts to run on; 'localhost' is this one")
                           ->type_name("H[:SLOTS],...")
                           ->check([](const std::string& given) { return given.empty() ? "names no host" : ""; }, "");
  command->add_option("--hostfile", options->hostfile, "The same, from a file: one 'HOST' or 'HOST slots=N' a line")
      ->type_name("FILE")
      ->excludes(hosts);
  command->add_option("--rsh", options->remote_shell, "The remote shell, called as RSH HOST COMMAND")
      ->type_name("COMMAND")
      ->capture_default_str();
  command->add_option("--interface", options->interface, "The network for control and data, on all hosts")
      ->type_name("NAME|CIDR");
  command->add_option("-x", options->exports, "A variable for all processes; without a value: as it is here")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command->add_flag("--label", options->label, "Begin each line of output with its rank");
  command->add_option("--timeout", options->timeout, "End the job after this time")->type_name("SECONDS");
  command
      ->add_option("--join-timeout", options->join_timeout,
                   "End the job if not all processes have joined so long after the first; 0: never")
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option("--mode", options->mode, "develop: the program may check more, at a cost; it can ask for the mode")
      ->type_name("run|develop")
      ->check(CLI::IsMember({"run", "develop"}));
  command->add_flag("--barrier,!--no-barrier", options->barrier, "Collectives imply a barrier, or not; they do");
  command->footer(footer);
  command->prefix_command();
  command->callback(
      [command, options, &action] { action = [command, options] { return run(*options, command->remaining()); }; });
}

}  // namespace cohort
