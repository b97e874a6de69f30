// SPDX-License-Identifier: Apache-2.0
// Takes the place of the registry in `cohort_with_mistakes`, which is otherwise the cohort command: what verify says
// where algorithms are not what they claim.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/registry.hpp"

namespace cohort {
namespace {

// One after the other; the last rank is forgotten where there are five.
Schedule forgetful(const Problem& problem, Rank me) {
  Schedule schedule;
  const Rank last = problem.ranks == 5 ? 3 : problem.ranks - 1;
  for (Rank step = 1; step <= last; ++step) {
    const Rank to = (problem.root + step) % problem.ranks;
    Round& round = schedule.add_round();
    if (me == problem.root) round.send(to, problem.all());
    if (me == to) round.receive(problem.root, problem.all());
  }
  return schedule;
}

// All at once, where it says one after the other.
Schedule several(const Problem& problem, Rank me) {
  Schedule schedule;
  Round& round = schedule.add_round();
  for (Rank to = 0; to < problem.ranks; ++to) {
    if (to == problem.root) continue;
    if (me == problem.root) round.send(to, problem.all());
    if (me == to) round.receive(problem.root, problem.all());
  }
  return schedule;
}

// The receiver waits a round too long.
Schedule late(const Problem& problem, Rank me) {
  Schedule schedule;
  for (Rank step = 0; step <= problem.ranks; ++step) {
    Round& round = schedule.add_round();
    const auto peer = [&](Rank distance) { return (problem.root + distance) % problem.ranks; };
    if (step + 1 < problem.ranks && me == problem.root) round.send(peer(step + 1), problem.all());
    if (step > 0 && step < problem.ranks && me == peer(step)) round.receive(problem.root, problem.all());
  }
  return schedule;
}

Cost modest(const Problem& problem) { return {1, problem.count, problem.count, 0}; }

constexpr Algorithm algorithms[] = {
    {"bcast/binomial", Operation::bcast, {}, bcast::binomial, costs::tree, "", ""},
    {"bcast/forgetful", Operation::bcast, {}, forgetful, costs::linear, "", ""},
    {"bcast/several", Operation::bcast, {}, several, costs::tree, "", ""},
    {"bcast/late", Operation::bcast, {}, late, costs::tree, "", ""},
    {"bcast/modest", Operation::bcast, {}, bcast::binomial, modest, "", ""},
};

}  // namespace

std::span<const Algorithm> registry() { return algorithms; }

}  // namespace cohort
