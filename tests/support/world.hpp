// SPDX-License-Identifier: Apache-2.0
// Runs one program on p ranks of this process, over any transport: what a user's program would see, without the
// launcher.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"
#include "collectives/tuning.hpp"
#include "runtime/faults/planned_fault.hpp"
#include "runtime/transport/simulated/transport_simulation.hpp"

namespace cohort::testing {

enum class Kind { memory, tcp, simulated, shared, routed };  // routed: half of the pairs over memory, half over TCP

std::string to_string(Kind kind);
// But routed, which moves frames by two of these.
inline const std::vector<Kind> every_kind = {Kind::memory, Kind::tcp, Kind::simulated, Kind::shared};

// Less than a job of so few ranks has, so that vectors need not be long to be sent on request.
constexpr std::uint64_t small_credit = 256 * 1024;

struct World {
  Kind kind = Kind::memory;
  Pid ranks = 1;
  bool barrier = true;
  SimulatedNetwork network{};  // simulated only
  Tuning tuning{};
  std::vector<Pid> on_hosts{};  // so many on each host, in this order; none: all on one
  bool develop = false;
  FaultPlan faults{};                 // to be injected; those of processes: simulated only
  bool broken_link_is_death = false;  // at once; else nobody says why a link broke
  Nanoseconds host_limit{0};          // for a link to be silent; 0: none
  bool goes_on = false;               // without ranks that throw
  std::uint64_t credit = small_credit;
  bool synchronous = false;      // in develop mode
  bool progress_thread = false;  // not simulated: there a rank has one thread
};

// Runs the program on every rank, each in a thread of its own, and returns when all have left: how long that took, in
// virtual time where that is what passes. The first exception by rank is thrown again; a rank that throws does not
// leave, and the others are told that it failed. One that is killed says nothing any more.
Nanoseconds run(const World& world, const std::function<void(Process& self)>& program);

// The same with something that takes the rank's time, as computing does: in virtual time where that is what passes.
using Pause = std::function<void(Nanoseconds)>;
Nanoseconds run(const World& world, const std::function<void(Process& self, const Pause& pause)>& program);

// The same for tests that look inside.
void run_runtimes(const World& world, const std::function<void(detail::Runtime& runtime)>& program);

// The same for programs that only use the group of all.
void run_all(const World& world, const std::function<void(const Group& all)>& program);

}  // namespace cohort::testing
