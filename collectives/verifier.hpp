// SPDX-License-Identifier: Apache-2.0
// Proves that an algorithm has its operation's result, for one number of ranks and one set of arguments. The verifier
// plays the schedules of all ranks at once; values are words over the operands' ranks. A swap, a double count, a
// misplaced or undefined element, a lost message or a deadlock ends in a counterexample in words.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "collectives/registry.hpp"
#include "collectives/verifier/words.hpp"

namespace cohort {

// How schedules are played. What ends by rounds needs no buffers, and with buffers it ends with the same values,
// whoever is faster: each rank reads what others send to it in a fixed order (Kahn 1974, The semantics of a simple
// language for parallel programming).
enum class Delivery : std::uint8_t {
  by_rounds,  // round by round, a send waits for its receive
  by_data,    // as the engine plays, in an order from the seed
};

inline constexpr Delivery every_delivery[] = {Delivery::by_rounds, Delivery::by_data};

std::string_view name_of(Delivery delivery);

using ScheduleOf = std::function<Schedule(const Problem& problem, Rank me)>;

// The problem for every rank, if all see the same.
std::vector<Problem> same_for_all(const Problem& problem);

// "p=5 root=2 m=6 in place"
std::string to_string(const Problem& problem);

class Verifier {
 public:
  // `ranks` has one problem for each rank. Operands are compared in order, unless the problem's operator commutes.
  // Returns a counterexample, or nothing. Play by data takes its order from the seed.
  std::optional<std::string> check(std::string_view name, const ScheduleOf& schedule, std::span<const Problem> ranks,
                                   std::span<const Delivery> deliveries, std::uint64_t seed);

  // Checks that no rank completes before `held_back` has started. Returns a counterexample, or nothing.
  std::optional<std::string> check_barrier(std::string_view name, const ScheduleOf& schedule,
                                           std::span<const Problem> ranks, Rank held_back, std::uint64_t seed);

 private:
  verifier::Words& words_for(const Problem& problem);

  verifier::Words ordered_{false};
  verifier::Words commutative_{true};
};

}  // namespace cohort
