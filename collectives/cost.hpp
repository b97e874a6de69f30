// Communication cost in elements, single-ported full duplex, as in CCL. Algorithms say theirs in closed form; the
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

  // Several messages of one rank in a round are one to C1: the sum over the rounds of the most that one rank sends or
  // receives, less one for each.
  Count more_starts = 0;

  // C1, less the messages of the longest chain in which each carries what the one before has brought. The runtime plays
  // schedules by their data, so the latencies of so many rounds pass while others do. At least 0, at most all that is
  // so. (Of a Fibonacci tree: less the latencies of the path that takes the longest.)
  Count overlapped = 0;

  // Where ranks share hosts (Problem::within_host), rounds, volume and overlapped are those of what goes between hosts,
  // and a host's link counts as one rank: the volume is what all its ranks together send or receive. What goes within
  // hosts is here, port by port as ever.
  Count inner_rounds = 0;
  Count inner_volume = 0;
  Count inner_overlapped = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost operator+(const Cost& a, const Cost& b);  // one after the other

// The same where all messages go within hosts.
Cost within_hosts(const Cost& cost);

// What the rounds take if each waits for the one before: C1 alpha + C2 beta + combined gamma, with the latency added to
// alpha, on the problem's network, one burst of which is taken from C2; and the same for what goes within hosts. Where
// what all ranks share takes longer for all messages, that.
double seconds(const Cost& cost, const Problem& problem);

// The same played by the data: a message waits for the latency of those only that bring what it carries.
double seconds_by_data(const Cost& cost, const Problem& problem);

// What all ranks share takes for all messages: C4 shared_alpha + C3 shared_beta.
double shared_seconds(const Cost& cost, const Problem& problem);

}  // namespace cohort
