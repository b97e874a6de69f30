// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/lockstep.hpp"

#include <algorithm>
#include <cmath>

#include "collectives/simulator.hpp"
#include "collectives/verifier/cases.hpp"

namespace cohort {

bool in_lockstep(const Algorithm& algorithm) {
  // Several networks, because a cost that does not show on one shows on another. The last one is the postal model.
  static constexpr Network networks[] = {
      {}, {.gamma = 30e-9}, {.gamma = 5e-9, .latency = 90e-6}, {.alpha = 1, .beta = 0, .latency = 3}};
  static constexpr Rank samples[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 16};
  const auto equal = [&](const Problem& problem) {
    const double bound = seconds(algorithm.costs(problem), problem);
    return std::abs(simulate(algorithm, problem, Ports::duplex).seconds - bound) <= rounding * bound;
  };
  return std::all_of(std::begin(samples), std::end(samples), [&](Rank ranks) {
    const std::vector<Problem> problems = verifier::even_problems(algorithm, ranks);
    return std::all_of(problems.begin(), problems.end(), [&](Problem problem) {
      return std::all_of(std::begin(networks), std::end(networks), [&](const Network& network) {
        problem.network = network;
        return equal(problem);
      });
    });
  });
}

}  // namespace cohort
