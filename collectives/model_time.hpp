// SPDX-License-Identifier: Apache-2.0
// The time of an algorithm on a network of the linear model, as `cohort model` shows it. The algorithm is played by its
// data, as the runtime plays it, if such a simulation takes seconds at most. Otherwise it is played round by round, or
// its time is the closed form of its cost. The price by which the runtime chooses is in selector/choose.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "collectives/simulator.hpp"

namespace cohort {

struct ModelTime {
  enum class Source : std::uint8_t {
    simulation,   // played by the data; simplex: round by round
    rounds,       // played round by round; messages do not share a port
    closed_form,  // the closed form, which is exact because the rounds are in lockstep
    bound,        // the closed form, as an upper bound
    none,         // simplex: too much to simulate, and there is no closed form
  };
  Source source = Source::none;
  Cost cost;
  std::optional<double> seconds;  // of the whole operation
  double schedule_seconds = 0;    // to make one rank's schedule, measured here: the mean over many ranks
};

std::string_view name_of(ModelTime::Source source);

// Limits of the simulation. A step is a round of a rank, a piece of a message, or a local step: some 15 ns each. A play
// by the data takes some 3 us for a message.
struct ModelLimits {
  double steps = 1.5e9;
  double messages = 2.5e5;
  double making_seconds = 30;  // of one thread, for the schedules alone
};

// All ranks must see the same problem, and the algorithm must be able to solve it. Includes the signals of a barrier if
// the problem asks for one.
ModelTime model_time(const Algorithm& algorithm, const Problem& problem, Ports ports, const ModelLimits& limits = {},
                     const SimulationOptions& options = {});

}  // namespace cohort
