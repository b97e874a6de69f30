// SPDX-License-Identifier: Apache-2.0
// In develop mode, the statement of a member's collective call for the other members, and the first two that differ.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

inline constexpr std::string_view sizes_aspect = "sizes";

// The aspects in which all members' calls must agree, in the order of comparison.
inline constexpr std::array<std::string_view, 7> aspects = {"operations", "roots",     "element types", sizes_aspect,
                                                            "distances",  "operators", "algorithms"};

// Sent as raw memory, because all members of a job have one architecture.
struct Statement {
  std::array<std::uint64_t, aspects.size()> values{};  // by aspect
  Rank rank = -1;                                      // -1: no member's
  std::array<char, 316> words{};                       // "combine of 4 double, Sum (loop.cpp:9)", truncated if longer
};

Statement statement_of(const GroupState& group, const Call& call, const Task& task);

std::string_view words_of(const Statement& statement);

// The first aspect that differs, or nullptr.
const std::string_view* difference(const Statement& a, const Statement& b);

// The first member's statement, and the first that differs from it. Statements are joined in the order of the ranks.
struct Statements {
  Statement first;
  Statement other;
};

// Associative, so that all members get the same result.
Statements join(const Statements& lower, const Statements& higher);

}  // namespace cohort::detail
