// What an algorithm takes on a network: played by its data, as the runtime plays it, where that can be done in seconds;
// else round by round, or by the closed form of its cost.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "collectives/simulator.hpp"

namespace cohort {

struct ModelTime {
  enum class Source : std::uint8_t {
    simulation,   // by the data; simplex: round by round
    rounds,       // each rank waits for each of its rounds, and nothing shares a port
    closed_form,  // which is the time of the rounds: they are in lockstep
    bound,        // the closed form, which is the most that the rounds take
    none,         // too much to simulate, and no closed form that says the time: simplex
  };
  Source source = Source::none;
  Cost cost;
  std::optional<double> seconds;  // of the whole operation
  double schedule_seconds = 0;    // to make the schedule of one rank here and now: the mean over many ranks
};

std::string_view name_of(ModelTime::Source source);

// How much may be simulated. A step is a round of a rank, a piece of a message, or a local step: some 15 ns each. By
// the data a message takes some 3 us.
struct ModelLimits {
  double steps = 1.5e9;
  double messages = 2.5e5;
  double making_seconds = 30;  // of one thread, for the schedules alone
};

// Where all ranks see the same problem, and nothing stands in the algorithm's way. The signals of a barrier, if the
// problem asks for one, come on top.
ModelTime model_time(const Algorithm& algorithm, const Problem& problem, Ports ports, const ModelLimits& limits = {},
                     const SimulationOptions& options = {});

}  // namespace cohort
