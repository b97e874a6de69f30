// SPDX-License-Identifier: Apache-2.0
// Segments of each buffer, in few words.
#pragma once

#include "collectives/schedule.hpp"

namespace cohort {

inline Segment input(Count offset, Count count) { return {Buffer::input, offset, count}; }
inline Segment output(Count offset, Count count) { return {Buffer::output, offset, count}; }
inline Segment scratch(Count offset, Count count) { return {Buffer::scratch, offset, count}; }

}  // namespace cohort
