// SPDX-License-Identifier: Apache-2.0
// cohort algorithms: lists the algorithms of the registry.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "launcher/algorithm_names.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

struct AlgorithmsOptions {
  std::string name;
  bool json = false;
};

constexpr Rank example_ranks = 64;  // for bounds that depend on the number of ranks

Count highest(const Parameter& parameter) {
  Problem problem;
  problem.ranks = example_ranks;
  return parameter.highest(problem);
}

std::string range_of(const Parameter& parameter) {
  static constexpr Count unlimited = Count{1} << 30;
  Problem more;
  more.ranks = 2 * example_ranks;
  const Count most = highest(parameter);
  if (most >= unlimited) return fmt::format("{} or more", parameter.lowest);
  if (most == parameter.highest(more)) return fmt::format("{} to {}", parameter.lowest, most);
  return fmt::format("{} to {} where p = {}", parameter.lowest, most, example_ranks);
}

std::string block_of(const Algorithm& algorithm) {
  std::string text = fmt::format("{}\n", algorithm.name);
  const auto add = [&](const char* title, std::string_view what) {
    if (!what.empty()) text += fmt::format("  {:<10}  {}\n", title, what);
  };
  add("time", algorithm.time);
  for (const std::string& need : needs_of(algorithm)) add("needs", need);
  for (const Parameter& parameter : algorithm.parameters) {
    add("parameter", fmt::format("{}: {}; {}", parameter.name, parameter.meaning, range_of(parameter)));
  }
  if (algorithm.traits.uses_mesh) add("parameter", "mesh: the sides of the mesh that the ranks form, as 4x6");
  if (algorithm.traits.multi_ported) add("ports", "several messages of a rank in one round");
  add("source", algorithm.source);
  return text;
}

nlohmann::ordered_json json_of(const Algorithm& algorithm) {
  nlohmann::ordered_json json;
  json["name"] = algorithm.name;
  json["operation"] = name_of(algorithm.operation);
  json["time"] = algorithm.time;
  json["needs"] = {{"commutative", algorithm.needs.commutative},
                   {"power_of_two", algorithm.needs.power_of_two},
                   {"equal_blocks", algorithm.needs.equal_blocks},
                   {"root_at_end", algorithm.needs.root_at_end}};
  json["parameters"] = nlohmann::ordered_json::array();
  for (const Parameter& parameter : algorithm.parameters) {
    json["parameters"].push_back({{"name", parameter.name},
                                  {"meaning", parameter.meaning},
                                  {"lowest", parameter.lowest},
                                  {fmt::format("highest_at_{}_ranks", example_ranks), highest(parameter)}});
  }
  json["mesh"] = algorithm.traits.uses_mesh;
  json["multi_ported"] = algorithm.traits.multi_ported;
  json["source"] = algorithm.source;
  return json;
}

int list(const AlgorithmsOptions& options) {
  std::vector<const Algorithm*> algorithms;
  if (options.name.empty()) {
    for (const Algorithm& algorithm : registry()) algorithms.push_back(&algorithm);
  } else {
    algorithms = parse_algorithms(options.name);
  }
  std::string text;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Algorithm* algorithm : algorithms) {
    if (options.json) json.push_back(json_of(*algorithm));
    text += (text.empty() ? "" : "\n") + block_of(*algorithm);
  }
  write_file("algorithms", "-", options.json ? json.dump(2) + "\n" : text);
  return 0;
}

constexpr const char* algorithms_footer = R"(
Each algorithm has its name, as the other commands take it, and
  time       what it takes on the model's network: p ranks, q = log2 p rounded up, n blocks of a pipeline, m elements of
             the vector or of all blocks together, alpha a message, beta an element, gamma an element combined
  needs      what a problem must have, beside the operation
  parameter  numbers that may follow the name, as in bcast/circulant:blocks=64; the algorithm has good values of its own
  source     who found it

Examples:
  cohort algorithms                        all of them
  cohort algorithms combine                those of one operation
  cohort algorithms bcast/circulant        one
  cohort algorithms --json | jq '.[].name'

See also: cohort verify proves them, cohort model says what they take, cohort draw shows their messages.)";

}  // namespace

void add_algorithms_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<AlgorithmsOptions>();
  const CliCommand command = app.add_subcommand("algorithms", "List the algorithms of the collective operations");
  command.add_option("OPERATION", options->name, "Only those of this operation, or one algorithm").type_name("");
  command.add_flag("--json", options->json, "As JSON: an array of objects");
  command.footer(algorithms_footer);
  command.callback([options, &action] { action = [options] { return list(*options); }; });
}

}  // namespace cohort
