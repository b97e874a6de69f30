// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/tuning_file.hpp"

#define TOML_HEADER_ONLY 1
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "launcher/algorithm_names.hpp"
#include "launcher/read_file.hpp"
#include "launcher/toml.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

struct Number {
  std::string_view key;
  double Network::*place;
  double unit;  // in seconds, seconds a byte, or bytes
  bool needed;
  std::string_view meaning;
};

constexpr double us = 1e-6, ns = 1e-9;
constexpr std::array<Number, 7> numbers = {{
    {"alpha_us", &Network::alpha, us, true, "a message keeps its sender busy, and its receiver"},
    {"beta_ns_per_byte", &Network::beta, ns, true, "each of its bytes adds so much"},
    {"latency_us", &Network::latency, us, false, "from there until the receiver has it"},
    {"gamma_ns_per_byte", &Network::gamma, ns, false, "combining a byte"},
    {"shared_alpha_us", &Network::shared_alpha, us, false,
     "how long a message occupies a resource that all processes share"},
    {"shared_beta_ns_per_byte", &Network::shared_beta, ns, false, "how long each of its bytes does"},
    {"burst_bytes", &Network::burst, 1, false, "bytes that a link passes at once after a pause"},
}};

class TuningReader {
 public:
  explicit TuningReader(std::string file) : file_(std::move(file)) {}

  GivenTuning tuning(const std::string& text) const {
    try {
      return tuning(parse_toml(text));
    } catch (const toml::parse_error& error) {
      refuse(error.source(), std::string(error.description()));
    }
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", file_, where.begin.line, what));
  }

  GivenTuning tuning(const toml::table& file) const {
    GivenTuning tuning;
    for (const auto& [key, value] : file) {
      const toml::table* part = value.as_table();
      if (key == "within_host" && part != nullptr) {
        tuning.within_host = network(*part, key.str());
      } else if (key == "between_hosts" && part != nullptr) {
        tuning.between_hosts = network(*part, key.str());
      } else if (key == "choices" && part != nullptr) {
        tuning.choices = choices(*part);
      } else {
        refuse(key.source(), fmt::format("{}: there are [within_host], [between_hosts] and [choices]", key.str()));
      }
    }
    return tuning;
  }

  Network network(const toml::table& part, std::string_view name) const {
    Network network;
    for (const auto& [key, value] : part) {
      const auto* known = std::ranges::find(numbers, key.str(), &Number::key);
      if (known == numbers.end()) {
        std::string keys;
        for (const Number& number : numbers) keys += (keys.empty() ? "" : ", ") + std::string(number.key);
        refuse(key.source(), fmt::format("{}: there is no such number; there are: {}", key.str(), keys));
      }
      const std::optional<double> given = value.value<double>();
      if (!given || !(*given >= 0 && *given < 1e12)) {
        refuse(value.source(), fmt::format("{}: a number from 0 is needed", key.str()));
      }
      network.*known->place = *given * known->unit;
    }
    for (const Number& number : numbers) {
      if (number.needed && !part.contains(number.key)) {
        refuse(part.source(), fmt::format("[{}] needs {}", name, number.key));
      }
    }
    return network;
  }

  std::vector<Choice> choices(const toml::table& part) const {
    std::vector<Choice> choices;
    for (const auto& [key, value] : part) {
      const std::optional<std::string> text = value.value_exact<std::string>();
      if (!text) refuse(value.source(), fmt::format("{}: the name of an algorithm is needed, in quotes", key.str()));
      try {
        choices.push_back(parse_choice(*text, parse_operation(std::string(key.str()))));
      } catch (const std::exception& error) {
        refuse(key.source(), fmt::format("{}: {}", key.str(), error.what()));
      }
    }
    return choices;
  }

  const std::string file_;
};

std::string comment(const std::string& lines) {
  std::string text;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) text += line.empty() ? "#\n" : "# " + line + "\n";
  return text;
}

std::string section(std::string_view name, const Network& network, const std::string& comments) {
  std::string text = fmt::format("\n{}[{}]\n", comment(comments), name);
  for (const Number& number : numbers) {
    const std::string line = fmt::format("{} = {:.6g}", number.key, network.*number.place / number.unit);
    text += fmt::format("{:<36}# {}\n", line, number.meaning);
  }
  return text;
}

}  // namespace

GivenTuning parse_tuning(const std::string& text, const std::string& file) { return TuningReader(file).tuning(text); }

GivenTuning read_tuning(const std::string& file) { return parse_tuning(read_file("--tuning", file), file); }

std::string to_toml(const GivenTuning& tuning, const TuningComments& comments) {
  std::string text = comment(comments.head);
  if (tuning.within_host) text += section("within_host", *tuning.within_host, comments.within_host);
  if (tuning.between_hosts) text += section("between_hosts", *tuning.between_hosts, comments.between_hosts);
  if (!tuning.choices.empty()) text += "\n[choices]\n";
  for (const Choice& choice : tuning.choices) {
    text += fmt::format("{} = \"{}\"\n", name_of(choice.algorithm->operation), to_string(choice));
  }
  return text;
}

}  // namespace cohort
