// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/model_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "collectives/pictures/units.hpp"
#include "collectives/selector/choose.hpp"
#include "launcher/commands/table.hpp"

namespace cohort {
namespace {

constexpr Count first_plotted_bytes = 64;
constexpr ModelLimits limits_of_a_point{.steps = 1e8, .messages = 2e4, .making_seconds = 2};

ModelRow row_of(const ModelTask& task, Count bytes, const NamedChoice& named, const ModelLimits& limits,
                const SimulationOptions& options) {
  Problem problem = task.problem(bytes);
  problem.parameters = named.choice.parameters;
  if (!named.choice.mesh.empty()) {
    problem.mesh = named.choice.mesh;
    problem.within_host.reset();
  }
  const Algorithm& algorithm = *named.choice.algorithm;
  ModelRow row{named.name, {}, {}, {}};
  try {
    if (const auto reason = obstacle(algorithm, problem)) {
      row.obstacle = reason->substr(algorithm.name.size() + 2);  // without "bcast/binomial: "
    } else {
      row.time = model_time(algorithm, problem, task.ports, limits, options);
      if (!row.time.seconds) row.obstacle = "too much to simulate, and no closed form says the time";
    }
  } catch (const std::exception& error) {  // such as too little memory: the other rows go on
    row.obstacle = error.what();
  }
  return row;
}

double seconds_of(const ModelRow& row) { return row.time.seconds.value_or(std::numeric_limits<double>::infinity()); }

std::string seconds_or_zero(double seconds) { return seconds == 0 ? "0" : pictures::seconds_text(seconds); }

std::string price_text(const std::optional<Priced>& priced) {
  return priced ? fmt::format("{}{:.6g}", priced->is_played ? "" : "~", priced->seconds) : "";
}

std::string shared_text(const Network& network) {
  if (network.shared_alpha == 0 && network.shared_beta == 0) return {};
  return fmt::format(", shared alpha {}, shared beta {} a byte", seconds_or_zero(network.shared_alpha),
                     seconds_or_zero(network.shared_beta));
}

std::string network_text(const ModelTask& task) {
  const Network& network = task.network;
  std::string text =
      fmt::format("alpha {}, beta {} a byte, gamma {} a byte, latency {}", seconds_or_zero(network.alpha),
                  seconds_or_zero(network.beta), seconds_or_zero(network.gamma), seconds_or_zero(network.latency));
  text += shared_text(network);
  if (network.burst > 0) text += fmt::format(", burst {} bytes", network.burst);
  if (task.hosts > 0) {
    text += fmt::format(", {} hosts, within each alpha {}, beta {} a byte, latency {}", task.hosts,
                        seconds_or_zero(task.within_host.alpha), seconds_or_zero(task.within_host.beta),
                        seconds_or_zero(task.within_host.latency)) +
            shared_text(task.within_host);
  }
  return text + (task.ports == Ports::duplex ? ", full duplex" : ", simplex");
}

std::string title_of(const ModelTask& task) {
  std::string title = fmt::format("{} on {} ranks", name_of(task.operation), task.ranks);
  if (has_root(task.operation)) title += fmt::format(", root {}", task.root);
  if (reduces(task.operation) && !task.commutative) title += ", in order";
  if (task.barrier) title += ", with a barrier";
  return title;
}

}  // namespace

Problem ModelTask::problem(Count bytes) const {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  problem.root = root;
  problem.distance = distance;
  problem.commutative = commutative;
  problem.barrier = barrier;
  problem.element_bytes = element_bytes;
  problem.network = network;
  if (hosts > 0) {
    problem.mesh = {hosts, ranks / hosts};
    problem.within_host = within_host;
  }
  const auto rounded_up = [](Count whole, Count part) { return whole / part + (whole % part == 0 ? 0 : 1); };
  const Count elements = rounded_up(bytes, element_bytes);
  if (has_vector(operation)) {
    problem.count = elements;
  } else if (!counts.empty()) {
    std::vector<Count> blocks;
    for (const Count block_bytes : counts) blocks.push_back(rounded_up(block_bytes, element_bytes));
    problem.blocks = problem.receive_blocks = Blocks(blocks);
  } else if (operation != Operation::sync) {
    problem.blocks = problem.receive_blocks = Blocks(ranks, rounded_up(elements, ranks));
  }
  return problem;
}

std::vector<ModelRow> model_rows(const ModelTask& task, Count bytes, const std::vector<NamedChoice>& choices,
                                 Progress& progress) {
  std::vector<ModelRow> rows;
  std::vector<Priced> priced;
  if (task.ports == Ports::duplex) priced = prices(task.problem(bytes));
  for (const NamedChoice& choice : choices) {
    SimulationOptions options;
    options.on_progress = [&](double part) {
      progress.show(fmt::format("{} of {}; {}: {:.0f} %", rows.size(), choices.size(), choice.name, 100 * part));
    };
    rows.push_back(row_of(task, bytes, choice, {}, options));
    if (!choice.choice.parameters.list().empty() || !choice.choice.mesh.empty()) continue;
    const auto match = std::ranges::find(priced, choice.choice.algorithm, &Priced::algorithm);
    if (match != priced.end()) rows.back().choice = *match;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ModelRow& a, const ModelRow& b) { return seconds_of(a) < seconds_of(b); });
  return rows;
}

std::string model_text(const ModelTask& task, Count bytes, const std::vector<ModelRow>& rows) {
  Table table({{"algorithm", false},
               {"rounds"},
               {"volume"},
               {"total"},
               {"messages"},
               {"combined"},
               {"seconds"},
               {"x best"},
               {"how", false},
               {"price"},
               {"schedule us"}});
  std::string obstacles;
  for (const ModelRow& row : rows) {
    const ModelTime& time = row.time;
    if (!time.seconds) {
      obstacles += fmt::format("{}: {}\n", row.name, row.obstacle);
      continue;
    }
    const double best = seconds_of(rows.front());
    table.add({row.name, std::to_string(time.cost.rounds), std::to_string(time.cost.volume),
               std::to_string(time.cost.total), std::to_string(time.cost.messages), std::to_string(time.cost.combined),
               fmt::format("{:.6g}", *time.seconds), best > 0 ? fmt::format("{:.2f}", *time.seconds / best) : "",
               std::string(name_of(time.source)), price_text(row.choice),
               fmt::format("{:.2f}", time.schedule_seconds * 1e6)});
  }
  std::string text = title_of(task);
  const Problem problem = task.problem(bytes);
  if (problem.count > 0) text += fmt::format(", {}", pictures::bytes_text(static_cast<double>(bytes)));
  if (problem.blocks.size() > 0) {
    text += fmt::format(", blocks of {}{}", task.counts.empty() ? "" : "up to ",
                        pictures::bytes_text(static_cast<double>(problem.blocks.largest() * task.element_bytes)));
  }
  text += "; " + network_text(task) + "\n\n";
  if (!rows.empty() && rows.front().time.seconds) text += table.text();
  if (task.ports == Ports::duplex) text += fmt::format("The runtime takes {}.\n", choose(problem).algorithm->name);
  return text + obstacles;
}

std::string model_json(const ModelTask& task, Count bytes, const std::vector<ModelRow>& rows) {
  using Json = nlohmann::ordered_json;
  const auto costs = [](const Network& network) {
    return Json{{"alpha", network.alpha},
                {"beta", network.beta},
                {"gamma", network.gamma},
                {"latency", network.latency},
                {"shared_alpha", network.shared_alpha},
                {"shared_beta", network.shared_beta},
                {"burst", network.burst}};
  };
  Json json = {{"operation", name_of(task.operation)},
               {"ranks", task.ranks},
               {"root", task.root},
               {"bytes", bytes},
               {"element_bytes", task.element_bytes},
               {"commutative", task.commutative},
               {"barrier", task.barrier},
               {"hosts", task.hosts},
               {"network", costs(task.network)},
               {"ports", task.ports == Ports::duplex ? "duplex" : "simplex"},
               {"choice", choose(task.problem(bytes)).algorithm->name}};
  if (task.hosts > 0) json["within_host"] = costs(task.within_host);
  if (!task.counts.empty()) json["counts"] = task.counts;
  json["algorithms"] = Json::array();
  for (const ModelRow& row : rows) {
    const ModelTime& time = row.time;
    if (!time.seconds) {
      json["algorithms"].push_back({{"name", row.name}, {"obstacle", row.obstacle}});
      continue;
    }
    json["algorithms"].push_back({{"name", row.name},
                                  {"rounds", time.cost.rounds},
                                  {"volume", time.cost.volume},
                                  {"total", time.cost.total},
                                  {"messages", time.cost.messages},
                                  {"combined", time.cost.combined},
                                  {"seconds", *time.seconds},
                                  {"how", name_of(time.source)},
                                  {"schedule_microseconds", time.schedule_seconds * 1e6}});
    if (!row.choice) continue;
    json["algorithms"].back()["price"] = row.choice->seconds;
    json["algorithms"].back()["price_is_estimate"] = !row.choice->is_played;
  }
  return json.dump(2) + "\n";
}

std::string model_plot(const ModelTask& task, Count most_bytes, const std::vector<NamedChoice>& choices,
                       Progress& progress) {
  std::vector<pictures::TimeSeries> series;
  for (const NamedChoice& choice : choices) {
    pictures::TimeSeries line{choice.name, {}};
    for (Count bytes = first_plotted_bytes; bytes <= most_bytes; bytes *= 2) {
      progress.show(fmt::format("{} of {} drawn; {}: {}", series.size(), choices.size(), choice.name,
                                pictures::bytes_text(static_cast<double>(bytes))));
      const ModelRow row = row_of(task, bytes, choice, limits_of_a_point, {});
      if (row.time.seconds) line.points.push_back({static_cast<double>(bytes), *row.time.seconds});
    }
    if (!line.points.empty()) series.push_back(std::move(line));
  }
  return pictures::plot_times(title_of(task) + "\n" + network_text(task), series);
}

}  // namespace cohort
