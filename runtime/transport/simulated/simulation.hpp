// A network in virtual time: one seed decides every order that a real network leaves open, and replays it.
//
// Ranks are threads, of which one runs at a time; it hands over only where it waits for the network. Computing takes no
// time, but for what pause() says. A link carries one frame after another in each direction of each process (full
// duplex): a frame leaves when the sender's port is free, takes latency and size / bandwidth, and arrives when the
// receiver's port is free. Processes suffer faults as those that have a host's kernel below them: who is killed is gone
// between two instructions, and its connections break; who is stopped misses nothing.
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
  // Another link for some pairs, where wanted.
  std::function<void(Pid from, Pid to, Nanoseconds& latency, double& bytes_per_second)> adjust;
};

// Ends the program of a rank that is killed: wherever it waits.
struct Killed {};

class Simulation {
 public:
  Simulation(Pid ranks, SimulatedNetwork network);
  ~Simulation();

  // Runs the program on every rank, and returns when all have ended; the first exception (by rank) is thrown again, but
  // for Killed. When every rank waits and nothing is on its way, every wait() throws Error(deadlock).
  void run(const std::function<void(Pid me, Transport& transport)>& program);

  // Called by a rank: it computes for so long, and sees nothing of the network.
  void pause(Pid me, Nanoseconds time);

  // A fault of a process strikes its rank at this virtual time. One that is stopped for ever is killed when the others
  // have nothing left to do.
  void strike(const PlannedFault& fault, Nanoseconds when);
  // The same now, called by the rank itself.
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
