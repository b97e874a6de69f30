// What schedules take when they are played as the runtime plays them: by their data (dataflow.hpp), not round by round.
//
// A rank starts an action as soon as its data allow. A rank's messages leave by one port and arrive by one port, each
// keeping it busy for alpha + beta n seconds, and are there `latency` seconds later. Messages to one rank follow one
// another; messages to several ranks share the port, as connections share a link: each has a turn of 16 KiB after the
// other. So a short message leaves before those that start later, and the long ones that a rank starts together all
// end late. Where ranks share hosts, a port starts messages (alpha), and the host's link carries their bytes (beta).
// While a rank combines, for gamma n seconds, its ports begin nothing. Buckets are as in simulator.hpp; copies take no
// time, and what all ranks share is not counted.
//
// Cost: about 1 us of one core for a message, and some KiB for a rank.
#pragma once

#include <functional>

#include "collectives/problem.hpp"

namespace cohort {

// Told of each message when it begins to leave.
using OnMessage = std::function<void(Rank from, Rank to, Count elements)>;

// Until the last rank is done: seconds. `schedule_of` is asked once for each rank.
double seconds_played_by_data(const std::function<Schedule(Rank)>& schedule_of, const Problem& problem,
                              const OnMessage& on_message = {});

}  // namespace cohort
