// SPDX-License-Identifier: Apache-2.0
// The names of all that can be measured, for the program that measures and for the command that starts it.
#pragma once

#include <string_view>

namespace cohort::bench {

struct Operation {
  std::string_view name;
  std::string_view collective;  // the collective whose algorithms it may use, if it is one
  std::string_view meaning;
};

inline constexpr std::string_view chosen = "chosen";  // the algorithm that the runtime chooses

inline constexpr Operation operations[] = {
    {"sync", "sync", ""},
    {"bcast", "bcast", ""},
    {"reduce", "reduce", ""},
    {"combine", "combine", ""},
    {"scatter", "scatter", ""},
    {"gather", "gather", ""},
    {"concat", "concat", ""},
    {"index", "index", ""},
    {"reduce_scatter", "reduce_scatter", ""},
    {"prefix", "prefix", ""},
    {"exclusive_prefix", "exclusive_prefix", ""},
    {"shift", "shift", "to the next rank, cyclic"},
    {"reduce_ordered", "reduce", "with an operator that does not commute"},
    {"combine_ordered", "combine", "with an operator that does not commute"},
    {"reduce_scatter_ordered", "reduce_scatter", "with an operator that does not commute"},
    {"pingpong", "", "half a round trip between the first rank and the last"},
    {"bandwidth", "", "a message of a stream of 64 from the first rank to the last"},
    {"bidirectional", "", "the same with a stream in each direction, at once"},
    {"message_rate", "", "the same, streams from all ranks of the first half to those of the second"},
    {"computation", "", "one that takes about as long as a combine of the size"},
    {"overlap", "combine", "that computation, in which a combine is in progress"},
    {"overlap_tested", "combine", "the same, with test() called 256 times meanwhile"},
};

// How many streams pass at once in an operation of so many ranks; 0 if it is not one of streams.
constexpr int streams_at_once(std::string_view operation, int ranks) {
  if (operation == "bandwidth") return 1;
  if (operation == "bidirectional") return 2;
  return operation == "message_rate" ? ranks / 2 : 0;
}

constexpr const Operation* find_operation(std::string_view name) {
  for (const Operation& operation : operations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

}  // namespace cohort::bench
