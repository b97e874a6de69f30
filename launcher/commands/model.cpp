// SPDX-License-Identifier: Apache-2.0
// cohort model: the time that algorithms take, by the model, without a network.
#include <algorithm>
#include <memory>

#include "launcher/algorithm_names.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/model_table.hpp"
#include "launcher/commands/network_options.hpp"
#include "launcher/commands/quantities.hpp"
#include "launcher/network/tuning_file.hpp"
#include "launcher/network/typical_network.hpp"
#include "launcher/usage_error.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

constexpr Rank most_modelled_ranks = 10'000'000;
constexpr Count most_element_bytes = Count{1} << 20;

struct ModelOptions {
  std::string operation;
  std::string ranks = "16";
  std::string bytes = "16MiB";
  std::vector<std::string> algorithms{"all"};
  std::string root = "0";
  std::string distance;
  std::string element_bytes = "1";
  std::string send_gap, receive_latency;
  std::string hosts, alpha_within, beta_within, latency_within;
  std::string tuning;
  std::string plot;
  std::string counts;
  NetworkOptions network;
  bool ordered = false;
  bool barrier = false;
  bool json = false;
};

std::vector<NamedChoice> choices_of(const ModelOptions& options) {
  std::vector<NamedChoice> choices;
  for (const std::string& given : options.algorithms) {
    if (given == "all") {
      for (const Algorithm* algorithm : parse_algorithms(options.operation)) {
        choices.push_back({std::string(algorithm->name), {algorithm, {}, {}}});
      }
      continue;
    }
    choices.push_back(parse_choice_for(options.operation, given));
  }
  return choices;
}

void set_hosts(ModelTask& task, const ModelOptions& options, const GivenTuning& tuning) {
  task.hosts = static_cast<Rank>(parse_whole("--hosts", options.hosts, 1, task.ranks));
  if (task.ranks % task.hosts != 0) {
    throw UsageError("--hosts: " + std::to_string(task.ranks) + " ranks are not as many on each of " + options.hosts);
  }
  task.within_host = tuning.within_host.value_or(typical_within_host(1, 1));
  const auto set = [](const char* option, const std::string& given, double& value) {
    if (!given.empty()) value = parse_time(option, given);
  };
  set("--alpha-within", options.alpha_within, task.within_host.alpha);
  set("--beta-within", options.beta_within, task.within_host.beta);
  set("--latency-within", options.latency_within, task.within_host.latency);
  if (task.hosts > 1) return;
  task.network = task.within_host;  // no message goes between hosts
  task.hosts = 0;
}

// The network of --tuning for messages between hosts; without --hosts, for all messages.
Network tuned_network(const ModelOptions& options, const GivenTuning& tuning) {
  if (options.tuning.empty()) return {};
  if (tuning.between_hosts) return *tuning.between_hosts;
  if (options.hosts.empty() && tuning.within_host) return *tuning.within_host;
  if (!options.hosts.empty() && parse_whole("--hosts", options.hosts, 1, most_modelled_ranks) == 1) return {};
  throw UsageError("--tuning: " + options.tuning + " has nothing on what goes between hosts");
}

// "64K,64K,16M" or "2x64K,16M".
std::vector<Count> parse_counts(const std::string& text) {
  std::vector<Count> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    const std::size_t times = one.find('x');
    const bool repeats = times != std::string::npos;
    const auto left = most_modelled_ranks - static_cast<Count>(counts.size());
    const Count number = repeats ? parse_whole("--counts", one.substr(0, times), 1, left) : 1;
    const Count bytes = parse_bytes("--counts", repeats ? one.substr(times + 1) : one);
    counts.insert(counts.end(), static_cast<std::size_t>(number), bytes);
    begin = end + 1;
  }
  return counts;
}

void set_counts(ModelTask& task, const ModelOptions& options) {
  if (has_vector(task.operation) || task.operation == Operation::sync) {
    throw UsageError("--counts: " + options.operation + " has no blocks");
  }
  // In index, each rank knows only its own counts, and the runtime does not choose by them.
  if (task.operation == Operation::index) throw UsageError("--counts: of index, each rank has its own");
  task.counts = parse_counts(options.counts);
  task.ranks = static_cast<Rank>(task.counts.size());
}

ModelTask task_of(const ModelOptions& options) {
  ModelTask task;
  task.operation = parse_operation(options.operation);
  task.ranks = static_cast<Rank>(parse_whole("--ranks", options.ranks, 1, most_modelled_ranks));
  task.barrier = options.barrier;
  if (!options.counts.empty()) set_counts(task, options);
  task.root = static_cast<Rank>(parse_whole("--root", options.root, 0, task.ranks - 1));
  if (task.root != 0 && !has_root(task.operation)) throw UsageError("--root: " + options.operation + " has none");
  task.distance = 1;
  if (!options.distance.empty()) {
    if (task.operation != Operation::shift) throw UsageError("--distance: only shift has one");
    task.distance = parse_whole("--distance", options.distance, -most_modelled_ranks, most_modelled_ranks);
  }
  if (options.ordered && !reduces(task.operation))
    throw UsageError("--ordered: " + options.operation + " has no operator");
  task.element_bytes = parse_whole("--element-bytes", options.element_bytes, 1, most_element_bytes);
  task.commutative = !options.ordered;
  const GivenTuning tuning = options.tuning.empty() ? GivenTuning{} : read_tuning(options.tuning);
  task.network = options.network.network(tuned_network(options, tuning));
  task.ports = options.network.ports();
  if (!options.send_gap.empty()) {
    task.network = {.alpha = parse_time("--send-gap", options.send_gap), .beta = 0, .gamma = 0, .latency = 0};
    if (!options.receive_latency.empty()) {
      task.network.latency = parse_time("--receive-latency", options.receive_latency);
    }
  }
  if (!options.hosts.empty()) set_hosts(task, options, tuning);
  return task;
}

int model(const ModelOptions& options) {
  const ModelTask task = task_of(options);
  const Count bytes = task.operation == Operation::sync ? 0 : parse_bytes("--bytes", options.bytes);
  const std::vector<NamedChoice> choices = choices_of(options);
  if (!options.plot.empty() && task.operation == Operation::sync) throw UsageError("--plot: sync has no sizes");
  if (!options.plot.empty()) write_file("model", options.plot, "");  // throws now, not after minutes of work
  Progress progress;
  const std::vector<ModelRow> rows = model_rows(task, bytes, choices, progress);
  progress.wipe();
  write_file("model", "-", options.json ? model_json(task, bytes, rows) : model_text(task, bytes, rows));
  if (!options.plot.empty()) {
    const std::string plot = model_plot(task, bytes, choices, progress);
    progress.wipe();
    write_file("model", options.plot, plot);
  }
  return std::ranges::any_of(rows, [](const ModelRow& row) { return row.time.seconds.has_value(); }) ? 0 : 1;
}

constexpr const char* model_footer = R"(
Plays the schedules of all ranks by their data, as the runtime does, on a modelled network. There a message of n bytes
keeps its sender and its receiver busy for alpha + beta n, and arrives `latency` later. Combining n bytes takes gamma n. A
rank's messages leave one after the other, long ones to several ranks in turns. A rank receives one message at a time. With
--simplex all go round by round, and a rank sends or receives. Each message also occupies the resource that all ranks share for shared alpha + shared
beta n, one message after the other. With --hosts, neighbouring ranks share a host and its link to the others. Algorithms on
a mesh take that of hosts by ranks, if none is named; their rounds and volumes are those between hosts. One line an
algorithm, the fastest first:
  rounds       C1: rounds in which somebody sends
  volume       C2: the sum over the rounds of the most elements that one rank sends
  total        C3: the elements of all messages
  messages     C4: of all ranks together
  combined     the sum over the rounds of the most elements that one rank combines
  seconds      until the last rank is done
  how          simulated. If that takes long: by rounds, each of which a rank waits for; or the formula of the cost,
               "closed form" where the rounds take just that, "at most" where they may take less
  price        the seconds that the runtime's choice goes by: the same play, and what was measured beside it, such as
               rounds that drift apart; ~ is an estimate
  schedule us  microseconds to make one rank's schedule, measured here: the mean
Then what the runtime takes on such a network, and the algorithms that can't do it, with the reason. Formulas are for vectors
that divide evenly.
Exit status: 0; 1 if no algorithm can do it; 2 for a mistake on this command line.

TIME is a number of seconds, or with a unit: 50us, 1.5ms, 80ns. M is a number of bytes, or 64K, 16MiB: the vector's, or
all blocks' together. --counts 7x64K,16M gives each rank's block a size of its own: here seven ranks have 64 KiB and the
last has 16 MiB. With --barrier nobody is done before all have started, as in a job without --no-barrier. Where the
messages of the data do not ensure that, signals do, and the times contain them. --send-gap s --receive-latency r is the postal
model: messages of any size keep their sender busy for s and arrive r later.

--tuning takes the network from a file of cohort tune. It is the one between hosts, or the one within a host: with --hosts 1,
or if the file has no other. With more hosts it is both. Options beside it say what differs. Choices that the file names do not count.

Examples:
  cohort model bcast --ranks 1000 --bytes 1MiB
  cohort model combine --ranks 4 --bytes 64K --tuning here.toml
  cohort model combine --ranks 64 --hosts 8 --bytes 8M
  cohort model gather --counts 7x64K,16M
  cohort model gather --barrier --ranks 64 --bytes 512 --send-gap 1 --receive-latency 3
  cohort model combine --ranks 64 --bytes 8M --element-bytes 8 --alpha 20us --beta 0.8ns
  cohort model bcast --ranks 100000 --algorithm circulant --algorithm circulant:blocks=64
  cohort model bcast --ranks 64 --bytes 8 --send-gap 1 --receive-latency 3
  cohort model bcast --ranks 64 --bytes 64MiB --plot bcast.svg     times over sizes, from 64 bytes to M)";

}  // namespace

void add_model_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<ModelOptions>();
  const CliCommand command = app.add_subcommand("model", "Say what the algorithms of an operation take on a network");
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type) {
    return command.add_option(name, value, what).type_name(type);
  };
  add("OPERATION", options->operation, "bcast, reduce, combine, ...", "").required();
  add("--ranks", options->ranks, "How many ranks", "P").capture_default_str();
  add("--bytes", options->bytes, "The vector, or all blocks together", "M").capture_default_str();
  command.add_option("--algorithm", options->algorithms, "One, with its parameters; may come several times")
      .type_name("NAME|all")
      .one_value()
      .take_all();
  const Option counts =
      add("--counts", options->counts, "The blocks' sizes, rank by rank; 7x64K,16M: seven are equal", "M,M,...");
  for (const char* other : {"--ranks", "--bytes"}) counts.excludes(command.get_option(other));
  add("--root", options->root, "The root, where the operation has one; 0", "R");
  add("--distance", options->distance, "How far shift shifts; 1", "D");
  add("--element-bytes", options->element_bytes, "Of one element, which no message divides; 1", "N");
  const Option tuning = add("--tuning", options->tuning, "The network that cohort tune has measured", "FILE");
  options->network.add_to(command);
  options->network.add_shared_to(command);
  const Option gap = add("--send-gap", options->send_gap, "The postal model: what a message costs its sender", "TIME");
  add("--receive-latency", options->receive_latency, "The postal model: how much later it arrives", "TIME").needs(gap);
  for (const char* other : {"--alpha", "--beta", "--gamma", "--latency"}) gap.excludes(command.get_option(other));
  gap.excludes(tuning);
  const Option hosts = add("--hosts", options->hosts, "The ranks share so many hosts, as many on each; p", "H");
  add("--alpha-within", options->alpha_within, "What a message within a host costs; 3us", "TIME").needs(hosts);
  add("--beta-within", options->beta_within, "And each of its bytes; 0.3ns", "TIME").needs(hosts);
  add("--latency-within", options->latency_within, "How much later it arrives; 4us", "TIME").needs(hosts);
  command.add_flag("--ordered", options->ordered, "The operator of a reduction does not commute");
  command.add_flag("--json", options->json, "As JSON: one object");
  command.add_flag("--barrier", options->barrier, "With the signals of barrier mode, as jobs have them by default");
  add("--plot", options->plot, "Also draws the times over sizes", "FILE.svg").excludes(counts);
  command.footer(model_footer);
  command.callback([options, &action] { action = [options] { return model(*options); }; });
}

}  // namespace cohort
