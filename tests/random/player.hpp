// SPDX-License-Identifier: Apache-2.0
// Plays one process's part of a random program through the public API, and compares what it sees with the model.
#pragma once

#include "tests/random/program.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {

// Called by every process of the program, with the same group of all. Throws std::runtime_error, which names the step,
// where this process sees something else than it must.
void play(const Program& program, Process& self, const Group& all, const Pause& pause);

}  // namespace cohort::testing
