// How often the system tries to get something through a TCP connection.
//
// By itself it retransmits at intervals that double: a link that was away for three seconds stays dead for up to three
// more. And on an idle connection it does not ask for hours.
#pragma once

#include <chrono>

namespace cohort {

// Four tries fit into a limit for silence. Shorter than a second is none.
std::chrono::nanoseconds longest_try_interval(std::chrono::nanoseconds limit);

// From now on the system retransmits, and asks on an idle connection, at this interval at the latest. What a listener
// accepts inherits that. A limit of 0 changes nothing. Data are retransmitted so on Linux 6.15 and later.
// Not TCP_USER_TIMEOUT, which also ends a connection whose receiver lets its sender wait.
void try_often(int descriptor, std::chrono::nanoseconds limit);

// The system may wait for so long again before it retransmits: an answer takes about as long here.
void try_as_slowly(int descriptor, std::chrono::nanoseconds answer);

}  // namespace cohort
