// An operation among some of the ranks, on part of the vector, as a step of a larger one: the schedule of the smaller
// problem with other names for ranks and places. For hybrids that are made of whole algorithms.
#pragma once

#include "collectives/schedule.hpp"

namespace cohort {

struct Embedding {
  Rank first = 0;  // rank r of the smaller problem is rank first + r stride of the larger
  Rank stride = 1;
  Segment input;  // where the smaller problem's buffers begin
  Segment output;
};

Schedule embedded(Schedule schedule, const Embedding& embedding);

}  // namespace cohort
