// SPDX-License-Identifier: Apache-2.0
// cohort draw: draws a schedule.
#include <algorithm>
#include <memory>

#include "collectives/pictures/space_time.hpp"
#include "launcher/algorithm_names.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/network_options.hpp"
#include "launcher/commands/quantities.hpp"
#include "launcher/usage_error.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

constexpr Count usual_blocks = 6;   // few enough to follow each block with the eye
constexpr Count most_blocks = 999;  // numbers of three digits still fit into the picture

struct DrawOptions {
  std::string name;
  std::string ranks = "8";
  std::string blocks;
  std::string root;
  std::string distance;
  std::string bytes = "96K";
  std::string file;
  NetworkOptions network;
  bool ordered = false;
};

bool has_blocks_parameter(const Algorithm& algorithm) {
  return std::ranges::any_of(algorithm.parameters, [](const Parameter& it) { return it.name == "blocks"; });
}

// Sets the sizes so that `bytes` is the size of the vector, or of a rank's blocks together. The number of elements is
// chosen so that algorithms can cut the vector evenly.
void set_sizes(Problem& problem, Count bytes) {
  const Count wished = problem.ranks * problem.parameters.get("blocks", usual_blocks);
  const Count elements = std::min(bytes, wished);
  problem.element_bytes = (bytes + elements / 2) / elements;
  switch (problem.operation) {
    case Operation::sync:
      break;
    case Operation::scatter:
    case Operation::gather:
    case Operation::concat:
    case Operation::reduce_scatter:
    case Operation::index:
      problem.blocks = problem.receive_blocks = Blocks(problem.ranks, std::max<Count>(elements / problem.ranks, 1));
      break;
    default:
      problem.count = elements;
  }
}

Problem problem_of(const DrawOptions& options, const Choice& choice) {
  const Algorithm& algorithm = *choice.algorithm;
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = static_cast<Rank>(parse_whole("--ranks", options.ranks, 1, pictures::most_ranks));
  if (!options.root.empty()) {
    if (!has_root(problem.operation)) throw UsageError("--root: " + std::string(algorithm.name) + " has none");
    problem.root = static_cast<Rank>(parse_whole("--root", options.root, 0, problem.ranks - 1));
  }
  problem.parameters = choice.parameters;
  problem.mesh = choice.mesh;
  if (has_blocks_parameter(algorithm)) {
    if (!options.blocks.empty())
      problem.parameters.set("blocks", parse_whole("--blocks", options.blocks, 1, most_blocks));
    problem.parameters.set("blocks", std::min(problem.parameters.get("blocks", usual_blocks), most_blocks));
  } else if (!options.blocks.empty()) {
    throw UsageError("--blocks: " + std::string(algorithm.name) + " does not cut its vector into blocks of a choice");
  }
  if (problem.operation == Operation::shift) problem.distance = 1;
  if (!options.distance.empty()) {
    if (problem.operation != Operation::shift) throw UsageError("--distance: only shift has one");
    problem.distance = parse_whole("--distance", options.distance, -1'000'000, 1'000'000);
  }
  problem.commutative = !options.ordered;
  problem.network = options.network.network();
  set_sizes(problem, parse_bytes("--bytes", options.bytes, 1));
  return problem;
}

std::string without_algorithm(const std::string& name) {
  std::string names;
  for (const Algorithm* algorithm : parse_algorithms(name))
    names += (names.empty() ? "" : ", ") + std::string(algorithm->name);
  return "draw: which algorithm of " + name + "? There are: " + names;
}

int draw(const DrawOptions& options) {
  if (options.name.find('/') == std::string::npos) throw UsageError(without_algorithm(options.name));
  if (options.file.empty()) throw UsageError("draw: -o FILE.svg is needed; '-' is the standard output");
  Choice choice;
  try {
    choice = parse_choice(options.name);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("draw: ") + error.what());
  }
  const Problem problem = problem_of(options, choice);
  if (const auto reason = obstacle(*choice.algorithm, problem)) throw UsageError("draw: " + *reason);
  write_file("draw", options.file,
             pictures::space_time(options.name, *choice.algorithm, problem, options.network.ports()));
  return 0;
}

constexpr const char* draw_footer = R"(
NAME is an algorithm as 'cohort algorithms' lists them, with its parameters if wanted: bcast/circulant:blocks=8,
combine/mesh_rings:mesh=2x4.

How to read it: each rank is a column, time goes down. A message is a line from the moment it begins to leave its sender
to a bead where its receiver has it. Number and colour say what it carries: which block of the vector, or whose. In
reductions of an undivided vector they are the ranks whose operands are in it; in sync, the ranks known to have entered. A
bundle of lines carries several. A ring around the bead: it was combined with what the receiver had. The times are those of the
model (linear: a message of n bytes takes alpha + beta n), as 'cohort model' has them.

The schedules are played on symbolic memory beside the model. So the picture shows what the messages hold, and an algorithm
that does anything wrong is not drawn.

Examples:
  cohort draw bcast/circulant --ranks 8 -o circulant.svg
  cohort draw reduce/recursive_split --ranks 16 --root 5 -o reduce.svg
  cohort draw prefix/chain --ranks 6 --blocks 12 --bytes 1M -o chain.svg
  cohort draw sync/dissemination --ranks 32 -o - | rsvg-convert -o sync.png)";

}  // namespace

void add_draw_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<DrawOptions>();
  const CliCommand command = app.add_subcommand("draw", "Draw an algorithm's messages: ranks across, time down (SVG)");
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type) {
    return command.add_option(name, value, what).type_name(type);
  };
  add("NAME", options->name, "The algorithm, with its parameters; of an operation alone, says which there are", "")
      .required();
  add("--ranks", options->ranks, "How many ranks; 6 to 32 look best", "P").capture_default_str();
  add("-o", options->file, "Where to write the picture; '-': standard output", "FILE.svg");
  add("--blocks", options->blocks, "In how many blocks to cut the vector, where the algorithm does; 6", "K");
  add("--root", options->root, "The root, where the operation has one; 0", "R");
  add("--bytes", options->bytes, "The vector, or all blocks of a rank together; 96K", "M");
  add("--distance", options->distance, "How far shift shifts; 1", "D");
  options->network.add_to(command);
  command.add_flag("--ordered", options->ordered, "The operator of a reduction does not commute");
  command.footer(draw_footer);
  command.callback([options, &action] { action = [options] { return draw(*options); }; });
}

}  // namespace cohort
