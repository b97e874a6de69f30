// How much of this host's processors the processes of a job may use.
#pragma once

namespace cohort {

// The processors that this process may run on, or what the control group's quota (v1 or v2) leaves of them; at least 1.
int usable_cores();

}  // namespace cohort
