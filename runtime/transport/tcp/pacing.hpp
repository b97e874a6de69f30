// Which congestion control a connection gets.
//
// Within a host nothing is congested, and a control that paces what is sent (BBR) only delays it: there it is Reno.
// Between hosts it is the system's. A socket that a pacing control has had once stays paced, also under another one, so
// those within a host must never have had it: a listener's begin with Reno, which those from other hosts give up.
#pragma once

namespace cohort {

// For a socket that listens or connects from now on. Without it, it works, only less well.
void do_not_pace(int descriptor);

// For one that such a listener has accepted: from now on as the system does.
void pace_as_usual(int descriptor);

}  // namespace cohort
