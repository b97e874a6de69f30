// What the messages of an algorithm carry, and when: its schedules played on symbolic memory (as the verifier does) and
// in the simulator, side by side.
#pragma once

#include <vector>

#include "collectives/registry.hpp"
#include "collectives/simulator.hpp"

namespace cohort::pictures {

// What the numbers of a message's parts are.
enum class Meaning : std::uint8_t {
  whole,        // nothing: every message carries the whole vector
  piece,        // pieces that the vector is cut into: the coarsest cut that no message goes across
  destination,  // blocks of a vector: the ranks that they are for
  origin,       // blocks: the ranks that they come from
  operands,     // the ranks whose operands went into it, of a vector that is never cut
  entered,      // the ranks that are known to have entered the barrier
};

struct TracedMessage {
  std::size_t round = 0;  // counted from 1, without the rounds in which nobody sends
  Rank from = 0;
  Rank to = 0;
  double start = 0;  // seconds
  double end = 0;
  Count elements = 0;
  bool combined = false;   // on its arrival, in the same round
  std::vector<int> parts;  // sorted
};

struct Trace {
  Meaning meaning = Meaning::whole;
  int parts = 1;  // that there are
  std::vector<TracedMessage> messages;
  Simulation simulation;
};

// Throws if the algorithm does not do what its operation means.
Trace trace(const Algorithm& algorithm, const Problem& problem, Ports ports);

}  // namespace cohort::pictures
