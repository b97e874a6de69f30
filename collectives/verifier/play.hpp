// SPDX-License-Identifier: Apache-2.0
// Two ways of playing the schedules of all ranks on symbolic memory. Their form has been checked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/verifier/memory.hpp"

namespace cohort::verifier {

// Plays round by round: a rank goes on when all messages of its round are complete, and a send is complete when it has
// met its receive. Throws a Complaint if a rank never ends, or if a message is left over.
void play_rounds(std::span<const Schedule> schedules, std::span<Memory> memories);

// Plays by the data, as the engine does. The seed decides the order in which actions start and messages arrive, and
// whether sends wait for their receives. Throws as play_rounds() does.
void play_data(std::span<const Schedule> schedules, std::span<Memory> memories, std::uint64_t seed);

// Plays by the data, but the rank `held_back` never starts, and sends never wait. Returns the ranks that complete.
std::vector<Rank> play_without(Rank held_back, std::span<const Schedule> schedules, std::span<Memory> memories,
                               std::uint64_t seed);

}  // namespace cohort::verifier
