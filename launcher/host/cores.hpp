// How much of this host's processors the processes of a job may use.
#pragma once

namespace cohort {

// The processors that this process may run on, or what the control group's quota leaves of them, in whole cores:
// processes that spin on one and a half would be stopped for a third of the time. 0 if there is less than one.
int usable_cores();

int whole_cores(int processors, double quota);

}  // namespace cohort
