// Every algorithm, in one explicit list. The verifier, the tests, the selector, the commands and the benchmarks loop
// over it. To add one: a file with the function, a declaration in the operation's header, a line in registry.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectives/cost.hpp"
#include "collectives/problem.hpp"

namespace cohort {

// What an algorithm asks of a problem beyond its operation.
struct Needs {
  bool commutative = false;   // an operator that commutes
  bool power_of_two = false;  // ranks
  bool equal_blocks = false;  // no per-rank sizes
};

struct Algorithm {
  std::string_view name;  // "bcast/binomial"
  Operation operation;
  Needs needs;
  Schedule (*schedule)(const Problem& problem, Rank me);
  std::string_view cost;                            // for people: "ceil(log2 p) (alpha + beta m)"
  std::string_view source;                          // the paper and section, or "folklore"
  Cost (*costs)(const Problem& problem) = nullptr;  // in closed form, where there is one
  std::string_view parameter = {};  // the one it takes after its name, as in "bcast/circulant:blocks=64"; mostly none
};

std::span<const Algorithm> registry();

// The algorithm of that name ("bcast/binomial"), or nullptr.
const Algorithm* find_algorithm(std::string_view name);

// Why the algorithm can't solve the problem, or nothing.
std::optional<std::string> obstacle(const Algorithm& algorithm, const Problem& problem);

// The algorithm that the runtime uses for a problem. Every rank chooses the same: the choice depends on nothing that
// differs between ranks.
const Algorithm& choose(const Problem& problem);

}  // namespace cohort
