// SPDX-License-Identifier: Apache-2.0
// The contents and times of an algorithm's messages: its schedules are played on symbolic memory (as the verifier does)
// and in the simulator, side by side.
#pragma once

#include <vector>

#include "collectives/registry.hpp"
#include "collectives/simulator.hpp"

namespace cohort::pictures {

// The meaning of the numbers of a message's parts.
enum class Meaning : std::uint8_t {
  whole,        // no numbers: every message carries the whole vector
  piece,        // pieces of the vector: the coarsest cut that no message crosses
  destination,  // blocks of a vector: their destinations
  origin,       // blocks: their sources
  operands,     // the ranks whose operands are in it, for a vector that is never cut
  entered,      // the ranks that are known to have entered the barrier
};

struct TracedMessage {
  std::size_t round = 0;  // from 1; rounds without messages are not counted
  Rank from = 0;
  Rank to = 0;
  double start = 0;  // seconds
  double end = 0;
  Count elements = 0;
  bool combined = false;   // the receiver combines it in the same round
  std::vector<int> parts;  // sorted
};

struct Trace {
  Meaning meaning = Meaning::whole;
  int parts = 1;  // how many parts there are
  std::vector<TracedMessage> messages;
  Simulation simulation;
};

// Throws if the algorithm's result is not the one that the operation specifies.
Trace trace(const Algorithm& algorithm, const Problem& problem, Ports ports);

}  // namespace cohort::pictures
