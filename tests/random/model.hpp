// SPDX-License-Identifier: Apache-2.0
// What a random program means, one step after the other: what each process has in its buffers before and after.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random/program.hpp"

namespace cohort::testing {

// A map x -> a x + b modulo a prime, packed into one number: composing maps is associative, and their order shows.
template <class T>
T composed(T first, T second);

// What a process contributes to a step: valid maps. T is std::uint8_t or std::uint64_t.
template <class T>
std::vector<T> contribution(StepNumber step, Pid pid, Count count);

// One process's part of an operation.
template <class T>
struct Sight {
  std::vector<T> input;
  std::vector<T> output;  // before
  std::vector<T> result;  // after
};

template <class T>
Sight<T> sight_of(const Collective& collective, StepNumber step, const std::vector<Pid>& members, Rank me);
template <class T>
Sight<T> sight_of(const Exchange& exchange, StepNumber step, const std::vector<Pid>& members, Rank me);
template <class T>
Sight<T> sight_of(const Receive& receive, const std::vector<Pid>& members);

// From whom a rank receives in an exchange.
Rank source_of(const Exchange& exchange, Rank me);

// The groups that come of a partition, by value; of a subgrid, by their lowest ranks. Members by rank.
std::vector<std::vector<Pid>> groups_of(const MakePartition& partition, const std::vector<Pid>& parent);
std::vector<std::vector<Pid>> groups_of(const MakeSubgrid& subgrid, const std::vector<Pid>& parent);

}  // namespace cohort::testing
