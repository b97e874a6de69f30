// SPDX-License-Identifier: Apache-2.0
// A program that nobody has written: steps that all processes take in the same order, each its own part of them.
//
// It is correct, and needs no buffering: whoever waits, waits for an operation whose other parts come earlier in the
// list. A message's two halves may be far apart; the first of them is started, and waited for after the second.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "cohort/types.hpp"

namespace cohort::testing {

using GroupNumber = std::size_t;  // in Program::groups; 0 is all
using StepNumber = std::size_t;

enum class Form { blocking, started, prepared };
enum class Combining { sum, maximum, exclusive_or, own_sum, composition };  // composition does not commute

struct MakeList {
  GroupNumber made;
};
struct MakePartition {
  GroupNumber parent;
  std::vector<std::int64_t> values, keys;  // by rank of the parent
  std::vector<GroupNumber> made;           // by value, ascending
};
struct MakeSubrange {
  GroupNumber parent;
  Rank first, stride;
  GroupNumber made;
};
struct MakeSubgrid {
  GroupNumber parent;
  std::vector<Rank> sides;  // none: a hypercube
  std::vector<int> dimensions;
  std::vector<GroupNumber> made;  // by their lowest ranks
};
struct LetGo {  // every member drops its handle
  GroupNumber group;
};

struct Collective {
  GroupNumber group;
  Operation operation;
  Form form;
  Combining combining;
  bool wide;  // elements of 8 bytes, otherwise of 1
  bool in_place;
  Rank root;
  Count count;                // of the vector, or of each block
  std::vector<Count> counts;  // of each rank's block; for index of each pair's, by source
  Count distance;
  bool cyclic;
  std::string algorithm;  // none: the runtime's choice
  std::size_t call;       // a persistent call is prepared at its first step, and started again at later ones
};

struct Send {
  GroupNumber group;
  Rank from, to;
  Tag tag;
  Form form;
  bool wide;
  Count count;
  StepNumber met;  // the receive
};
struct Receive {
  GroupNumber group;
  Rank from, to;
  Tag tag;
  Form form;
  bool wide;
  Count count;
  Count capacity;
  StepNumber met;  // the send
};
struct Exchange {
  GroupNumber group;
  std::vector<Rank> to;       // by rank: a permutation
  std::vector<Count> counts;  // of what each sends
  Tag tag;
  Form form;  // blocking or started
  bool wide;
};
// One receives from all others, in whatever order they come: what each of them sends is known.
struct FanIn {
  GroupNumber group;
  Rank to;
  std::vector<Count> counts;  // by rank
  Tag tag;                    // this step's alone
  Form form;                  // of the sends
  bool wide;
};

// One process completes what it has started.
struct Finish {
  enum class How { one, any, all, test };
  Pid pid;
  How how;
  std::size_t which;
};
struct Compute {
  Pid pid;
  std::int64_t microseconds;
};

struct Step {
  StepNumber number;
  std::variant<MakeList, MakePartition, MakeSubrange, MakeSubgrid, LetGo, Collective, Send, Receive, Exchange, FanIn,
               Finish, Compute>
      what;
};

struct Program {
  Pid processes = 1;
  std::vector<std::vector<Pid>> groups;  // by number: members by rank
  std::vector<Step> steps;               // numbers ascend
};

// A pure function of the seed. So many processes; or at most so many.
Program program_on(Pid processes, std::uint64_t seed);
Program program_of(std::uint64_t seed, Pid most_processes);

// Without some of its steps, and those that need them.
Program without(const Program& program, const std::function<bool(const Step&)>& dropped);

std::string to_string(const Program& program);  // for people: a line a step
std::string to_string(const Program& program, const Step& step);

}  // namespace cohort::testing
