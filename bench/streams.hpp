// SPDX-License-Identifier: Apache-2.0
// Messages between pairs of ranks.
#pragma once

#include "bench/calls.hpp"

namespace cohort::bench {

constexpr int messages_in_stream = 64;

// A message there and back.
void pingpong(const Group& group, const Vectors& vectors);

// Streams of messages, all started before the first is waited for. An empty answer ends each.
void stream(const Group& group, const Vectors& vectors);             // from the first rank to the last
void streams_both_ways(const Group& group, const Vectors& vectors);  // between them
void streams_of_pairs(const Group& group, const Vectors& vectors);   // rank r to rank r + p/2, for all r < p/2

}  // namespace cohort::bench
