// SPDX-License-Identifier: Apache-2.0
// The time of schedules that are played as the runtime plays them: by their data (dataflow.hpp), not round by round.
//
// A rank starts an action as soon as its data allow. A rank's messages leave by one port and arrive by one port. Each
// keeps the port busy for alpha + beta n seconds and arrives `latency` seconds later. Messages to one rank follow one
// another. Messages to several ranks share the port, as connections share a link: they take turns of 16 KiB. So a short
// message leaves before those that start later, and long messages that a rank starts together all end late. If ranks
// share hosts, a rank's port takes alpha for each message, and the host's link carries the bytes (beta). While a rank
// combines, for gamma n seconds, its ports begin no turn. Bursts are as in simulator.hpp. Copies take no time. The
// resource that all ranks share is not counted.
//
// Cost: about 1 us of one core for a message, and some KiB for a rank.
#pragma once

#include <functional>

#include "collectives/problem.hpp"

namespace cohort {

// Called for each message when it begins to leave.
using OnMessage = std::function<void(Rank from, Rank to, Count elements)>;

// Seconds until the last rank is done. Calls `schedule_of` once for each rank.
double seconds_played_by_data(const std::function<Schedule(Rank)>& schedule_of, const Problem& problem,
                              const OnMessage& on_message = {});

}  // namespace cohort
