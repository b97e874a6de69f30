// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/statement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groups/hash.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {
namespace {

std::string sizes_of(const Call& call, const Problem& problem) {
  if (has_vector(problem.operation)) return fmt::format("{} {}", problem.count, name_of_type(call.type));
  if (problem.operation == Operation::index && call.per_rank) {
    return fmt::format("blocks of {}, a size for each pair", name_of_type(call.type));
  }
  if (problem.blocks.equal()) return fmt::format("blocks of {} {}", problem.blocks.largest(), name_of_type(call.type));
  constexpr Rank shown = 8;
  std::string sizes;
  for (Rank rank = 0; rank < std::min(shown, problem.blocks.size()); ++rank)
    sizes += fmt::format("{}{}", rank > 0 ? ", " : "", problem.blocks.count(rank));
  return fmt::format("blocks of {}{} {}", sizes, problem.blocks.size() > shown ? ", ..." : "", name_of_type(call.type));
}

std::uint64_t hash_of_sizes(const Call& call, const Problem& problem) {
  Hash hash;
  if (has_vector(problem.operation)) return hash.add(static_cast<std::uint64_t>(problem.count)).value();
  if (problem.operation == Operation::index && call.per_rank) return hash.add(1).value();
  if (problem.blocks.equal()) return hash.add(2).add(static_cast<std::uint64_t>(problem.blocks.largest())).value();
  for (Rank rank = 0; rank < problem.blocks.size(); ++rank)
    hash.add(static_cast<std::uint64_t>(problem.blocks.count(rank)));
  return hash.value();
}

std::uint64_t hash_of(std::string_view words) {
  Hash hash;
  for (const char letter : words) hash.add(static_cast<unsigned char>(letter));
  return hash.value();
}

// Sizes and types of the runtime's own collectives tell a user nothing.
bool has_arguments(Operation operation) {
  return operation != Operation::sync && operation != Operation::partition && operation != Operation::leave;
}

}  // namespace

Statement statement_of(const GroupState& group, const Call& call, const Task& task) {
  const Problem& problem = task.problem;
  Statement statement;
  statement.rank = group.me();
  std::string words(name_of(call.operation));
  std::size_t aspect = 0;
  const auto say = [&](bool said, std::uint64_t value, const std::string& text) {
    if (said) statement.values[aspect] = value;
    if (said && !text.empty()) words += ", " + text;
    ++aspect;
  };
  const bool arguments = has_arguments(call.operation);
  if (arguments) words += " of " + sizes_of(call, problem);
  say(true, static_cast<std::uint64_t>(call.operation), "");
  say(has_root(call.operation), static_cast<std::uint64_t>(call.root), fmt::format("root {}", call.root));
  say(arguments, call.type, "");
  say(arguments, hash_of_sizes(call, problem), "");
  say(call.operation == Operation::shift,
      Hash().add(static_cast<std::uint64_t>(call.distance)).add(call.cyclic).value(),
      fmt::format("distance {}{}", call.distance, call.cyclic ? "" : " without wrap-around"));
  say(reduces(call.operation), call.reduction.code, name_of_operator(call.reduction.code));
  const std::string algorithm =
      task.algorithm != nullptr ? to_string(Choice{task.algorithm, problem.parameters, problem.mesh}) : "";
  say(!algorithm.empty(), hash_of(algorithm), "by " + algorithm);
  words += " (" + place_of(call) + ")";
  words.copy(statement.words.data(), statement.words.size() - 1);
  return statement;
}

std::string_view words_of(const Statement& statement) { return statement.words.data(); }

const std::string_view* difference(const Statement& a, const Statement& b) {
  const auto differing = std::ranges::mismatch(a.values, b.values);
  return differing.in1 == a.values.end() ? nullptr
                                         : &aspects[static_cast<std::size_t>(differing.in1 - a.values.begin())];
}

Statements join(const Statements& lower, const Statements& higher) {
  if (lower.other.rank >= 0) return lower;
  Statements joined = lower;
  if (difference(lower.first, higher.first) != nullptr) {
    joined.other = higher.first;
  } else {
    joined.other = higher.other;
  }
  return joined;
}

}  // namespace cohort::detail
