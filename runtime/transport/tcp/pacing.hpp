// SPDX-License-Identifier: Apache-2.0
// Which congestion control a connection gets.
//
// Within a host there is no congestion, and a control that paces (BBR) only delays data: there it is Reno. Between
// hosts it is the system's default. A socket that once had a pacing control stays paced, even under another control. So
// sockets within a host must never have one: a listener's sockets begin with Reno, and those from other hosts change to
// the default.
#pragma once

namespace cohort {

// For a socket that listens or connects from now on. If it fails, the connection works, only less well.
void do_not_pace(int descriptor);

// For a socket that such a listener has accepted: from now on it has the system's default.
void pace_as_usual(int descriptor);

}  // namespace cohort
