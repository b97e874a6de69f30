// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/faults_file.hpp"

#define TOML_HEADER_ONLY 1
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>

#include "launcher/read_file.hpp"
#include "launcher/toml.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

struct Kind {
  std::string_view name;
  FaultKind kind;
  bool lasts;  // for_s
  std::string_view amount = "";
  double most = 0;
  std::string_view unit = "";
};

constexpr double longest_s = 1e9;
constexpr std::array<Kind, 9> kinds = {{
    {"kill", FaultKind::kill, false},
    {"stop", FaultKind::stop, true},
    {"slow", FaultKind::slow, true, "share", 1, " of the time"},
    {"delay", FaultKind::delay, true, "delay_s", longest_s, " s"},
    {"throttle", FaultKind::throttle, true, "bytes_per_second", 1e15, " bytes/s"},
    {"reset", FaultKind::reset, false},
    {"black_hole", FaultKind::black_hole, true},
    {"corrupt", FaultKind::corrupt, false},
    {"refuse", FaultKind::refuse, true},
}};

using Keys = std::vector<std::string_view>;
const Keys triggers = {"at_s", "at_call", "at_byte", "rate"};

std::string list(const Keys& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string rank_in_words(Pid rank) { return rank < 0 ? "every rank" : fmt::format("rank {}", rank); }

std::string in_words(const Kind& kind, const PlannedFault& fault, bool both_ways) {
  std::string text(kind.name);
  if (!kind.amount.empty()) text += fmt::format(" ({}{})", fault.amount, kind.unit);
  text += fault.of_process() ? " of " + rank_in_words(fault.rank)
                             : fmt::format(" from {} to {}", rank_in_words(fault.from), rank_in_words(fault.to));
  if (both_ways) text += " and back";
  if (fault.for_s > 0) text += fmt::format(" for {} s", fault.for_s);
  return text;
}

// Faults from the command line have no file and line to name.
[[noreturn]] void refuse(const std::string& file, const toml::source_region& where, const std::string& what) {
  throw UsageError(file.empty() ? what : fmt::format("{}:{}: {}", file, where.begin.line, what));
}

// One [[fault]].
class FaultReader {
 public:
  FaultReader(const std::string& file, const toml::table& part, Pid ranks, std::uint64_t seed, std::uint32_t number)
      : file_(file), part_(part), ranks_(ranks), random_(seed + number) {
    fault_.number = number;
  }

  void read(GivenFaults& into) {
    const std::optional<std::string> name = part_["kind"].value_exact<std::string>();
    if (!name) refuse("a fault needs kind, in quotes: one of " + names());
    kind_ = std::ranges::find(kinds, *name, &Kind::name);
    if (kind_ == kinds.end()) refuse(fmt::format("kind: there is no fault '{}'; there are: {}", *name, names()));
    fault_.kind = kind_->kind;
    check_keys();
    read_place();
    read_trigger();
    read_effect();
    into.plan.faults.push_back(fault_);
    const bool both_ways = flag("both_ways");
    if (both_ways) {
      into.plan.faults.push_back(fault_);
      std::swap(into.plan.faults.back().from, into.plan.faults.back().to);
    }
    const std::string source = file_.empty() ? "cohort inject" : fmt::format("{}:{}", file_, part_.source().begin.line);
    into.descriptions.push_back(fmt::format("{}: {}", source, in_words(*kind_, fault_, both_ways)));
    into.random |= drawn_ || fault_.trigger == FaultTrigger::chance || fault_.kind == FaultKind::corrupt;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { refuse(part_.source(), what); }
  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what) const {
    cohort::refuse(file_, where, what);
  }

  static std::string names() {
    Keys all;
    for (const Kind& kind : kinds) all.push_back(kind.name);
    return list(all);
  }

  void check_keys() const {
    Keys known = {"kind"};
    if (fault_.of_process()) {
      known.push_back("rank");
    } else {
      known.insert(known.end(), {"from", "to", "both_ways"});
    }
    known.insert(known.end(), triggers.begin(), triggers.end());
    known.push_back("operation");
    if (kind_->lasts) known.push_back("for_s");
    if (!kind_->amount.empty()) known.push_back(kind_->amount);
    if (fault_.kind == FaultKind::corrupt) known.push_back("part");
    for (const auto& [key, value] : part_) {
      if (std::ranges::find(known, key.str()) == known.end()) {
        refuse(key.source(),
               fmt::format("{}: a {} has no such key; there are: {}", key.str(), kind_->name, list(known)));
      }
    }
  }

  double number(std::string_view key, double most) const {
    const std::optional<double> given = part_[key].value<double>();
    if (!given || !(*given > 0 && *given <= most)) {
      refuse(part_[key].node()->source(), fmt::format("{}: a number over 0 is needed, at most {}", key, most));
    }
    return *given;
  }

  bool flag(std::string_view key) const {
    if (!part_.contains(key)) return false;
    const std::optional<bool> given = part_[key].value_exact<bool>();
    if (!given) refuse(part_[key].node()->source(), fmt::format("{}: true or false", key));
    return *given;
  }

  Pid rank(std::string_view key) {
    if (part_[key].value_exact<std::string>() == "random") {
      drawn_ = true;
      return std::uniform_int_distribution<Pid>(0, ranks_ - 1)(random_);
    }
    const std::optional<std::int64_t> given = part_[key].value_exact<std::int64_t>();
    if (!given || *given < 0 || *given >= ranks_) {
      refuse(part_[key].node()->source(),
             fmt::format("{}: a rank of the job is needed, from 0 to {}, or \"random\"", key, ranks_ - 1));
    }
    return static_cast<Pid>(*given);
  }

  void read_place() {
    if (fault_.of_process()) {
      if (!part_.contains("rank")) refuse(fmt::format("a {} needs rank", kind_->name));
      fault_.rank = rank("rank");
      return;
    }
    if (ranks_ < 2) refuse(fmt::format("a {} is a fault of a link, and a job of one has none", kind_->name));
    if (part_.contains("from")) fault_.from = rank("from");
    if (part_.contains("to")) fault_.to = rank("to");
    const std::string_view redrawn = part_["to"].is_string() ? "to" : "from";
    while (part_[redrawn].is_string() && fault_.from == fault_.to)
      (redrawn == "to" ? fault_.to : fault_.from) = rank(redrawn);
    if (fault_.from == fault_.to && fault_.to >= 0) refuse("from, to: a link is between two ranks");
  }

  void read_trigger() {
    Keys given;
    std::ranges::copy_if(triggers, std::back_inserter(given),
                         [&](std::string_view key) { return part_.contains(key); });
    if (given.size() > 1) refuse(fmt::format("{}: one of them, please: when does it begin?", list(given)));
    const std::string_view trigger = given.empty() ? "" : given.front();
    if (trigger == "at_s") {
      if (part_["at_s"].value<double>() != 0.0) fault_.at_s = number("at_s", longest_s);
    } else if (trigger == "at_call" || trigger == "at_byte") {
      fault_.trigger = trigger == "at_call" ? FaultTrigger::call : FaultTrigger::byte;
      const std::optional<std::int64_t> nth = part_[trigger].value_exact<std::int64_t>();
      if (!nth || *nth < 1) refuse(part_[trigger].node()->source(), fmt::format("{}: a whole number from 1", trigger));
      fault_.nth = static_cast<std::uint64_t>(*nth);
    } else if (trigger == "rate") {
      if (fault_.kind == FaultKind::throttle) refuse("rate: a throttle is no matter of chance");
      fault_.trigger = FaultTrigger::chance;
      fault_.rate = number("rate", 1);
    }
    if (part_.contains("operation")) read_operation();
  }

  void read_operation() {
    const bool calls =
        fault_.trigger == FaultTrigger::call || (fault_.of_process() && fault_.trigger == FaultTrigger::chance);
    if (!calls) refuse("operation: it goes with at_call, and with the rate of a process's fault");
    const std::optional<std::string> name = part_["operation"].value_exact<std::string>();
    Keys all;
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Operation::last_operation); ++i) {
      all.push_back(name_of(static_cast<Operation>(i)));
      if (name && all.back() == *name) fault_.operation = static_cast<Operation>(i);
    }
    if (!fault_.operation) {
      refuse(part_["operation"].node()->source(), "operation: there is no such operation; there are: " + list(all));
    }
  }

  void read_effect() {
    if (!kind_->amount.empty()) {
      if (!part_.contains(kind_->amount)) refuse(fmt::format("a {} needs {}", kind_->name, kind_->amount));
      fault_.amount = number(kind_->amount, kind_->most);
    }
    if (part_.contains("for_s")) fault_.for_s = number("for_s", longest_s);
    if (!part_.contains("part")) return;
    const std::optional<std::string> name = part_["part"].value_exact<std::string>();
    if (name != "header" && name != "payload")
      refuse(part_["part"].node()->source(), "part: \"header\" or \"payload\"");
    fault_.payload = name == "payload";
  }

  const std::string& file_;
  const toml::table& part_;
  const Pid ranks_;
  std::mt19937_64 random_;
  const Kind* kind_ = nullptr;
  PlannedFault fault_;
  bool drawn_ = false;
};

}  // namespace

std::uint64_t fresh_seed() { return std::random_device()(); }  // short, for people

GivenFaults parse_faults(const std::string& text, const std::string& file, Pid ranks, std::uint64_t seed,
                         std::uint32_t first) {
  toml::table table;
  try {
    table = parse_toml(text);
  } catch (const toml::parse_error& error) {
    refuse(file, error.source(), std::string(error.description()));
  }
  GivenFaults given;
  given.plan.seed = seed;
  if (const toml::node* value = table.get("seed")) {
    const std::optional<std::int64_t> number = value->value_exact<std::int64_t>();
    if (!number || *number < 0) refuse(file, value->source(), "seed: a whole number from 0");
    given.plan.seed = static_cast<std::uint64_t>(*number);
  }
  for (const auto& [key, value] : table) {
    if (key == "seed") continue;
    const toml::array* faults = key == "fault" ? value.as_array() : nullptr;
    if (faults == nullptr) refuse(file, key.source(), fmt::format("{}: there are seed and [[fault]]", key.str()));
    for (const toml::node& fault : *faults) {
      if (!fault.is_table()) refuse(file, fault.source(), "fault: each is a [[fault]]");
      const auto number = static_cast<std::uint32_t>(first + given.descriptions.size());
      FaultReader(file, *fault.as_table(), ranks, given.plan.seed, number).read(given);
    }
  }
  return given;
}

GivenFaults read_faults(const std::string& file, Pid ranks, std::uint64_t seed) {
  return parse_faults(read_file("--faults", file), file, ranks, seed);
}

}  // namespace cohort
