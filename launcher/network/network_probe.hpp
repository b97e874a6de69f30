// SPDX-License-Identifier: Apache-2.0
// The program that cohort tune runs as a job: it times messages and collectives in the processes of a job, where they
// will be used. Includes public headers only.
#pragma once

#include <iosfwd>

#include "cohort/cohort.hpp"

namespace cohort::probe {

// All processes must call both functions. One process writes each result, as a line of tab-separated words: place,
// measurement, ranks, bytes, seconds, algorithm.
//
//   within_host    pair     2   4096  5.1e-06  -             a round: two ranks send each other so many bytes
//   between_hosts  first    2  16384  4.2e-04  -             such a round after a pause
//   between_hosts  all     16   4096  7.4e-05  -             a round: each of 16 ranks sends to the next in a ring
//   between_hosts  gap      3      8  2.5e-06  -             one more block in a pipeline
//   within_host    combine  1  65536  1.3e-05  -             combining two vectors
//   between_hosts  bcast   16  32768  1.1e-03  bcast/chain   an operation, by the algorithm that the runtime chooses
//
// The time is the median over the repetitions of the slowest process's time. Between hosts, one process of each host
// takes part; within a host, the processes of the first host that has several.
void measure(const Process& self, std::ostream& out);
void check(const Process& self, std::ostream& out);

}  // namespace cohort::probe
