// What cohort tune runs as a job: times messages and collectives where they will be used, in the processes of a job.
// Public headers only.
#pragma once

#include <iosfwd>

#include "cohort/cohort.hpp"

namespace cohort::probe {

// Both are called by all processes. What one of them has measured it writes, a line each of tab-separated words:
//
//   within_host    pair     2   4096  5.1e-06  -             a round of two that send each other so many bytes
//   between_hosts  first    2  16384  4.2e-04  -             the same after a pause
//   between_hosts  all     16   4096  7.4e-05  -             the same of so many in a ring, all at once
//   between_hosts  gap      3      8  2.5e-06  -             a block more in a pipeline
//   within_host    combine  1  65536  1.3e-05  -             combining two vectors
//   between_hosts  bcast   16  32768  1.1e-03  bcast/chain   an operation, done as the runtime chooses
//
// in seconds: the median over the repetitions, of the slowest process. Between hosts one process of each host takes
// part; within a host, those of the first host that has several.
void measure(const Process& self, std::ostream& out);
void check(const Process& self, std::ostream& out);

}  // namespace cohort::probe
