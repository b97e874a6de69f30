// SPDX-License-Identifier: Apache-2.0
// A network in virtual time: one seed decides every order that a real network leaves open, and replays it.
//
// Ranks are threads, of which one runs at a time; it hands over only when it waits for the network. Computing takes no
// time, except in pause(). Each direction of each process (full duplex) carries one frame after another. A frame leaves
// when the sender's port is free, takes latency and size / bandwidth, and arrives when the receiver's port is free.
// Faults act as on processes above a host's kernel: a killed process ends between two instructions, and its connections
// break; a stopped process misses nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/faults/planned_fault.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

struct SimulatedNetwork {
  std::uint64_t seed = 1;
  Nanoseconds latency{50'000};
  double bytes_per_second = 12.5e6;
  Nanoseconds jitter{0};  // up to this much more latency, at random
  // Ranks that wait are deadlocked when no frame has arrived for so long, however often they look.
  Nanoseconds patience = std::chrono::minutes(1);
  // May change the link of a pair of processes.
  std::function<void(Pid from, Pid to, Nanoseconds& latency, double& bytes_per_second)> adjust;
};

// Thrown where a killed rank waits, to end its program.
struct Killed {};

class TransportSimulation {
 public:
  TransportSimulation(Pid ranks, SimulatedNetwork network);
  ~TransportSimulation();

  // Runs the program on every rank, and returns when all have ended. Rethrows the first exception (by rank) except
  // Killed. If every rank waits and no frame is in flight, every wait() throws Error(deadlock).
  void run(const std::function<void(Pid me, Transport& transport)>& program);

  // Called by a rank: it computes for this long, and sees nothing of the network.
  void pause(Pid me, Nanoseconds time);

  // A fault of a process strikes its rank at this virtual time. A rank that is stopped for ever is killed when the
  // other ranks have nothing left to do.
  void strike(const PlannedFault& fault, Nanoseconds when);
  // The same now; the rank itself calls it.
  void strike(const PlannedFault& fault);

  Nanoseconds now() const;       // virtual time
  std::uint64_t frames() const;  // sent so far
  std::uint64_t bytes() const;   // of payload

 private:
  class World;
  class RankTransport;
  std::unique_ptr<World> world_;
};

}  // namespace cohort
