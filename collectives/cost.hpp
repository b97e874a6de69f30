// SPDX-License-Identifier: Apache-2.0
// Communication cost in elements, single-ported full duplex, as in CCL. Algorithms state it in closed form; the
// simulator counts it from the schedules of all ranks.
#pragma once

#include "collectives/problem.hpp"

namespace cohort {

struct Cost {
  Count rounds = 0;    // C1: rounds in which any rank sends
  Count volume = 0;    // C2: the sum over the rounds of the most elements that one rank sends or receives
  Count total = 0;     // C3: the sum of all messages' elements
  Count combined = 0;  // the sum over the rounds of the most elements that one rank combines
  Count messages = 0;  // C4: of all ranks together

  // Several messages of one rank in a round count once in C1. `more_starts` counts the others: the sum over the rounds
  // of the most messages that one rank sends or receives, less one for each round.
  Count more_starts = 0;

  // How many rounds' latencies overlap with others when the runtime plays schedules by their data: C1 less the messages
  // of the longest chain in which each message carries data of the one before. Closed forms may state less. (For a
  // Fibonacci tree: C1 less the latencies of the path that takes the longest.)
  Count overlapped = 0;

  // If ranks share hosts (Problem::within_host), rounds, volume and overlapped are those of messages between hosts. A
  // host's link then counts as one rank: its volume is the sum of all its ranks. Messages within hosts are counted in
  // the three fields below, rank by rank.
  Count inner_rounds = 0;
  Count inner_volume = 0;
  Count inner_overlapped = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost operator+(const Cost& a, const Cost& b);  // one after the other

// The same cost if all messages go within hosts.
Cost within_hosts(const Cost& cost);

// Seconds on the problem's network if each round waits for the one before: C1 (alpha + latency) + C2 beta + combined
// gamma, with one burst subtracted from C2. Messages within hosts are added in the same way. At least shared_seconds().
double seconds(const Cost& cost, const Problem& problem);

// Seconds if schedules are played by their data: a message waits only for the latencies of messages that bring its
// data.
double seconds_by_data(const Cost& cost, const Problem& problem);

// Seconds for which all messages use the resource that all ranks share: C4 shared_alpha + C3 shared_beta.
double shared_seconds(const Cost& cost, const Problem& problem);

}  // namespace cohort
