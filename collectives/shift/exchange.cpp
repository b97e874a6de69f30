// SPDX-License-Identifier: Apache-2.0
// Shift: send and receive at once.
// Cost: alpha + beta m.
// Source: CCL section 3.1.
#include <algorithm>
#include <cstdlib>

#include "collectives/peers.hpp"
#include "collectives/shift/shift.hpp"

namespace cohort::shift {

Count distance_of(const Problem& problem) {
  const Count p = problem.ranks;
  return problem.cyclic ? modulo(problem.distance, problem.ranks) : std::clamp(problem.distance, -p, p);
}

Schedule exchange(const Problem& problem, Rank me) {
  const Count distance = distance_of(problem);
  const Rank to = modulo(me + distance, problem.ranks);
  const Rank from = modulo(me - distance, problem.ranks);

  Schedule schedule;
  Round& round = schedule.add_round();
  if (distance == 0) {
    round.copy(problem.all(), problem.all(Buffer::input));
    return schedule;
  }
  if (problem.cyclic || me + distance == to) round.send(to, problem.all(Buffer::input));
  if (problem.cyclic || me - distance == from) round.receive(from, problem.all());
  return schedule;
}

Cost exchange_cost(const Problem& problem) {
  const Count p = problem.ranks;
  const Count distance = distance_of(problem);
  const Count senders = distance == 0 ? 0 : problem.cyclic ? p : p - std::abs(distance);
  return senders == 0 ? Cost{} : Cost{1, problem.count, senders * problem.count, 0, senders};
}

}  // namespace cohort::shift
