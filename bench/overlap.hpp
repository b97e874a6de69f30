// SPDX-License-Identifier: Apache-2.0
// Overlap: a combine is started, and a computation runs meanwhile. How much of the communication is hidden?
#pragma once

#include "bench/calls.hpp"

namespace cohort::bench {

// A computation on all processes of this group that takes about as long as a combine of these vectors alone. The same
// at all of them.
Work as_long_as_a_combine(const Group& group, const Vectors& vectors);

void computation(const Group& group, const Vectors& vectors);     // alone
void overlap(const Group& group, const Vectors& vectors);         // between the combine's start and its wait
void overlap_tested(const Group& group, const Vectors& vectors);  // the same, with a test() after each piece

}  // namespace cohort::bench
