// SPDX-License-Identifier: Apache-2.0
// The texts in the beads, notes and legends of a space-time picture.
#pragma once

#include <string>
#include <vector>

#include "collectives/pictures/trace.hpp"

namespace cohort::pictures {

// "3", "2–5", "6–1" (a run that wraps around), "0,4", "all", or "×4": at most `letters` long, or nothing.
std::string short_label(const std::vector<int>& parts, int of, std::size_t letters);

// "round 3: 2 to 5, blocks 0–3, 10.7 KiB, 2.1–3.2 ms"
std::string note(const TracedMessage& message, const Trace& trace, Count element_bytes);

// The meaning of the numbers and colours.
std::string meaning_text(const Trace& trace, const Problem& problem);

// "p = 8, root 0, 64 KiB, 6 blocks", and the network.
std::string problem_text(const Problem& problem, const Trace& trace);
std::string network_text(const Problem& problem, Ports ports);

// Bytes of the vector, or of all blocks of one rank.
double bytes_of(const Problem& problem);

}  // namespace cohort::pictures
