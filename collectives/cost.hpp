// Communication cost in elements, single-ported full duplex, as in CCL. Algorithms state it in closed form; the
// simulator counts it from the schedules of all ranks.
#pragma once

#include "collectives/problem.hpp"

namespace cohort {

struct Cost {
  Count rounds = 0;    // C1: rounds in which somebody sends
  Count volume = 0;    // C2: the sum over the rounds of the most elements that one rank sends or receives
  Count total = 0;     // C3: the sum of all messages' elements
  Count combined = 0;  // the sum over the rounds of the most elements that one rank combines
  Count messages = 0;  // C4: of all ranks together

  // Several messages of one rank in a round count as one in C1. This is the sum over the rounds of the most messages
  // that one rank sends or receives, less one for each round.
  Count more_starts = 0;

  // C1 less the messages of the longest chain in which each message carries data of the one before. The runtime plays
  // schedules by their data, so the latencies of so many rounds overlap with others. Closed forms may state less. (For
  // a Fibonacci tree: C1 less the latencies of the path that takes the longest.)
  Count overlapped = 0;

  // If ranks share hosts (Problem::within_host), rounds, volume and overlapped are those of messages between hosts, and
  // a host's link counts as one rank: the volume is what all its ranks together send or receive. Messages within hosts
  // are counted here, rank by rank.
  Count inner_rounds = 0;
  Count inner_volume = 0;
  Count inner_overlapped = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost operator+(const Cost& a, const Cost& b);  // one after the other

// The same cost if all messages go within hosts.
Cost within_hosts(const Cost& cost);

// Seconds if each round waits for the one before: C1 alpha + C2 beta + combined gamma, with the latency added to alpha,
// on the problem's network, and one burst taken from C2; and the same for messages within hosts. At least
// shared_seconds().
double seconds(const Cost& cost, const Problem& problem);

// Seconds if schedules are played by their data: a message waits only for the latencies of those that bring its data.
double seconds_by_data(const Cost& cost, const Problem& problem);

// Seconds that all messages take of what all ranks share: C4 shared_alpha + C3 shared_beta.
double shared_seconds(const Cost& cost, const Problem& problem);

}  // namespace cohort
