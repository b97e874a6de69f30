// SPDX-License-Identifier: Apache-2.0
// Verifies many algorithms.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

struct Verification {
  const Algorithm* algorithm = nullptr;
  std::size_t cases = 0;
  double seconds = 0;
  std::optional<std::string> counterexample;  // the first one found
};

struct VerificationTask {
  std::span<const Algorithm* const> algorithms;
  Rank lowest = 1;  // number of ranks
  Rank highest = 64;
  int threads = 1;
};

// Tries every property of every algorithm for all numbers of ranks; barrier mode for few ranks only. Calls back one at
// a time: on_verified once for each algorithm, in order, and on_progress when an algorithm begins a number of ranks.
// Returns true if there is no counterexample.
bool verify(const VerificationTask& task, const std::function<void(const Verification&)>& on_verified,
            const std::function<void(const Algorithm& algorithm, Rank ranks)>& on_progress);

}  // namespace cohort
