// A combine that was started, and a computation meanwhile: how much of the communication does not show?
#pragma once

#include "bench/calls.hpp"

namespace cohort::bench {

// A computation on this group's processes, all at once, that takes about as long as a combine of these vectors alone.
// The same at all of them.
Work as_long_as_a_combine(const Group& group, const Vectors& vectors);

void computation(const Group& group, const Vectors& vectors);     // alone
void overlap(const Group& group, const Vectors& vectors);         // between the combine's start and its wait
void overlap_tested(const Group& group, const Vectors& vectors);  // the same, with a test() behind each piece of it

}  // namespace cohort::bench
