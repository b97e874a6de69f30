// SPDX-License-Identifier: Apache-2.0
// The time of a schedule on a network of the linear model. The rounds of all ranks are played with a clock for each
// rank.
//
// A rank enters a round when its part of the previous one is done. Its messages of a round leave one after the other.
// Each keeps its port busy for alpha + beta n seconds and arrives `latency` seconds after that. A port receives one
// message at a time, in the order of arrival. On a network with bursts, the bytes in a link's bucket pass at once. Full
// duplex: a rank sends and receives at once, and a send does not wait for its receiver. Simplex: a rank sends or
// receives, and a message keeps both sides busy. Links have no limit of their own, so there is no contention. The
// resource that all ranks share is not counted. A round's combining takes gamma n once all messages have arrived.
// Copies take no time.
//
// Cost: about 70 ns of one core for a round of a rank, 150 ns if it combines, and about 1 GiB at most; 100,000 ranks
// and 1,000 rounds take seconds on two cores.
#pragma once

#include <functional>

#include "collectives/registry.hpp"
#include "collectives/simulator/clocks.hpp"

namespace cohort {

// A message on its way: valid during the call only.
struct TimedMessage {
  std::size_t round = 0;
  Rank from = 0;
  Rank to = 0;
  const Segments* segments = nullptr;  // as the sender names them
  double start = 0;                    // seconds: when the message begins to leave
  double end = 0;                      // seconds: when the receiver has the message
};

struct Simulation {
  double seconds = 0;  // until the last rank is done
  Cost cost;           // counted during the play
};

struct SimulationOptions {
  int threads = 0;                               // 0: one for each core, if there is enough work
  std::function<void(double part)> on_progress;  // called on the calling thread with the part that is done, 0 to 1
};

// All ranks must see the same problem. Calls `on_transfer` for each message; messages of one rank and round come in the
// schedule's order.
Simulation simulate(const Algorithm& algorithm, const Problem& problem, Ports ports,
                    const std::function<void(const TimedMessage&)>& on_transfer = {},
                    const SimulationOptions& options = {});

}  // namespace cohort
