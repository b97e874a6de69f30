// SPDX-License-Identifier: Apache-2.0
// How much of this host's processors the processes of a job may use.
#pragma once

namespace cohort {

// The number of processors that this process may use, by its affinity and the control group's quota, in whole cores:
// if a quota of 1.5 counted as two cores, processes that spin would be stopped for part of the time. 0 below one core.
int usable_cores();

int whole_cores(int processors, double quota);

}  // namespace cohort
