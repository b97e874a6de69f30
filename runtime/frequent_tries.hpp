// SPDX-License-Identifier: Apache-2.0
// How often the system retransmits on a TCP connection.
//
// By default its retransmission intervals double: a link that was down for three seconds stays dead for up to three
// more. On an idle connection the system sends no probe for hours.
#pragma once

#include <chrono>

namespace cohort {

// The interval at which four tries fit into a limit for silence; at least one second.
std::chrono::nanoseconds longest_try_interval(std::chrono::nanoseconds limit);

// From now on the system retransmits, and probes an idle connection, at this interval at the latest. Connections that a
// listener accepts inherit it. A limit of 0 changes nothing. The bound on retransmissions needs Linux 6.15 or later.
// TCP_USER_TIMEOUT would not do: it also ends a connection whose receiver makes its sender wait.
void try_often(int descriptor, std::chrono::nanoseconds limit);

// The system may wait this long before it retransmits again: for connections whose answers take about as long.
void try_as_slowly(int descriptor, std::chrono::nanoseconds interval);

}  // namespace cohort
