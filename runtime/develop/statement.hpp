// What a member of a group says of its collective call to the others, in develop mode, and which two differ.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

// What all members must call alike, in the order in which it is compared.
inline constexpr std::array<std::string_view, 7> aspects = {"operations", "roots",     "element types", "sizes",
                                                            "distances",  "operators", "algorithms"};

// It travels as it is: the members of a job are of one architecture.
struct Statement {
  std::array<std::uint64_t, aspects.size()> values{};  // by aspect
  Rank rank = -1;                                      // -1: nobody's
  std::array<char, 316> words{};                       // "combine of 4 double, Sum (loop.cpp:9)", cut off where longer
};

Statement statement_of(const GroupState& group, const Call& call, const Task& task);

std::string_view words_of(const Statement& statement);

// Which aspect differs, or nullptr.
const std::string_view* difference(const Statement& a, const Statement& b);

// The first member's statement, and the first that differs from it. Statements are joined in the order of the ranks.
struct Statements {
  Statement first;
  Statement other;
};

// Associative: what all members get from it is the same.
Statements join(const Statements& lower, const Statements& higher);

}  // namespace cohort::detail
