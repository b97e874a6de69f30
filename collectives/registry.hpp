// SPDX-License-Identifier: Apache-2.0
// Every algorithm, in one explicit list. The verifier, the simulator, the tests, the selector, the commands and the
// benchmarks loop over it. To add one: a file with the function, a declaration in the operation's header, a line in
// registry.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectives/cost.hpp"
#include "collectives/problem.hpp"

namespace cohort {

// What an algorithm needs of a problem.
struct Needs {
  bool commutative = false;    // the operator commutes
  bool power_of_two = false;   // the number of ranks
  bool equal_blocks = false;   // all blocks have one size
  bool root_at_end = false;    // the root is rank 0 or p - 1, or the operator commutes
  bool transit_sizes = false;  // with per-rank sizes: transit_sizes are known
};

// A number that may follow an algorithm's name, as in "index/radix:radix=4".
struct Parameter {
  std::string_view name;
  std::string_view meaning;
  Count lowest;
  Count (*highest)(const Problem& problem);
};

// Further properties of an algorithm, with the parts that use them: the choice (C), the simulator (S), the closed forms
// on hosts (H), the verifier (V).
struct Traits {
  bool uses_mesh = false;           // C, V: takes the problem's mesh into account
  bool multi_ported = false;        // S, V: a rank has several messages in a round; they leave one after the other
  bool uses_commutativity = false;  // V: has another schedule if the operator commutes
  bool slow_to_make = false;        // C, V: one rank's schedule takes O(p) steps or more
  bool drifts = false;              // C: long messages go to changing partners, and each waits for the previous one
  bool neighbours = false;          // C, H: messages go only to the next rank and the previous one
  bool knows_hosts = false;  // H: the closed form of its cost counts messages within hosts and between hosts separately
  bool for_simplex = false;  // C: for ranks that can't send and receive at once; with full duplex another is as fast
};

struct Algorithm {
  std::string_view name;  // "bcast/binomial"
  Operation operation;
  Needs needs;
  Schedule (*schedule)(const Problem& problem, Rank me);
  Cost (*costs)(
      const Problem& problem);  // in closed form; collectives/patterns/closed_forms.hpp says when it must be exact
  std::string_view time;        // for people: "q (alpha + beta m)"
  std::string_view source;      // the paper and section, or "folklore"
  std::span<const Parameter> parameters = {};
  Traits traits = {};
};

std::span<const Algorithm> registry();

// The algorithm of that name ("bcast/binomial"), or nullptr.
const Algorithm* find_algorithm(std::string_view name);

// Why the algorithm can't solve the problem, or nothing. Checks its needs, its parameters' names and values, the mesh.
std::optional<std::string> obstacle(const Algorithm& algorithm, const Problem& problem);

// The closed form of the cost if ranks may share hosts. For algorithms without `knows_hosts` it is an upper bound that
// counts all messages as messages between hosts.
Cost cost_on_hosts(const Algorithm& algorithm, const Problem& problem);

// An algorithm as it is named on a command line: "bcast/two_tree:blocks=64" or "combine/mesh_rings:mesh=4x6".
struct Choice {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
  std::vector<Rank> mesh;
};

// Throws std::invalid_argument, whose text says what is wrong with the name and which names there are.
Choice parse_choice(std::string_view text);
Choice parse_choice(std::string_view text, Operation operation);  // `text` may leave out the operation's name

// The text that parse_choice() reads as this choice.
std::string to_string(const Choice& choice);

}  // namespace cohort
