// SPDX-License-Identifier: Apache-2.0
// Shift for ranks that can't send and receive at once: in each round a rank does one of the two. The ranks form cycles
// of p / gcd(p, distance), or chains if the shift is not cyclic. Every other edge of a cycle or chain is used in the
// first round, the others in the second. The last edge of a cycle of odd length takes a third round.
// Cost: 2 (alpha + beta m), or 3 with cycles of odd length.
// Source: CCL section 3.1.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "collectives/peers.hpp"
#include "collectives/shift/shift.hpp"

namespace cohort::shift {
namespace {

// The x in 0 ... modulus - 1 with a x = 1 (mod modulus), if a and the modulus have no common divisor: Euclid's
// algorithm.
Count inverse(Count a, Count modulus) {
  Count x = 0;
  Count next = 1;
  for (Count rest = modulus, divisor = a % modulus; divisor != 0;) {
    const Count quotient = rest / divisor;
    rest = std::exchange(divisor, rest - quotient * divisor);
    x = std::exchange(next, x - quotient * next);
  }
  return (x % modulus + modulus) % modulus;
}

// The rank's place on its cycle or chain.
Count place(const Problem& problem, Count distance, Rank rank) {
  if (!problem.cyclic) return (distance > 0 ? rank : problem.ranks - 1 - rank) / std::abs(distance);
  const Count cycles = std::gcd(problem.ranks, distance);
  const Count length = problem.ranks / cycles;
  const Count step = modulo(distance / cycles, static_cast<Rank>(length));
  return rank / cycles * inverse(step, length) % length;
}

// The round in which the edge that begins at this place is used.
std::size_t round_of(const Problem& problem, Count distance, Count place) {
  if (problem.cyclic) {
    const Count length = problem.ranks / std::gcd(problem.ranks, distance);
    if (length % 2 != 0 && place == length - 1) return 2;
  }
  return static_cast<std::size_t>(place % 2);
}

}  // namespace

Schedule paired(const Problem& problem, Rank me) {
  const Count distance = distance_of(problem);
  Schedule schedule;
  if (distance == 0) {
    schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
    return schedule;
  }
  const Rank to = modulo(me + distance, problem.ranks);
  const Rank from = modulo(me - distance, problem.ranks);
  const bool sends = problem.cyclic || me + distance == to;
  const bool receives = problem.cyclic || me - distance == from;
  const std::size_t out = round_of(problem, distance, place(problem, distance, me));
  const std::size_t in = round_of(problem, distance, place(problem, distance, from));
  for (std::size_t index = 0; index < 3; ++index) {
    Round& round = schedule.add_round();
    if (sends && index == out) round.send(to, problem.all(Buffer::input));
    if (receives && index == in) round.receive(from, problem.all());
  }
  return schedule;
}

Cost paired_cost(const Problem& problem) {
  const Count p = problem.ranks;
  const Count distance = distance_of(problem);
  if (distance == 0) return {};
  if (problem.cyclic) {
    const Count rounds = p / std::gcd(p, distance) % 2 == 0 ? 2 : 3;
    return {rounds, rounds * problem.count, p * problem.count, 0, p};
  }
  const Count senders = std::max<Count>(p - std::abs(distance), 0);
  const Count rounds = senders == 0 ? 0 : 2 * std::abs(distance) < p ? 2 : 1;
  return {rounds, rounds * problem.count, senders * problem.count, 0, senders};
}

}  // namespace cohort::shift
