// Inclusive prefix: every rank's result covers twice as many ranks before it after each round.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m).
// Source: Hillis and Steele 1986; CCL section 4.2.
#include "collectives/patterns/partial_result.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {

Schedule doubling(const Problem& problem, Rank me) {
  Schedule schedule;
  PartialResult partial(schedule, problem.all(operand_buffer(problem, me)), problem.all(), 2);
  for (std::int64_t distance = 1; distance < problem.ranks; distance *= 2) {
    Round& round = schedule.add_round();
    if (me + distance < problem.ranks) round.send(static_cast<Rank>(me + distance), partial.standing());
    if (me >= distance) partial.receive_left(round, static_cast<Rank>(me - distance));
  }
  partial.finish(schedule);
  return schedule;
}

Cost doubling_cost(const Problem& problem) {
  const Count rounds = ceil_log2(problem.ranks);
  const Count volume = rounds * problem.count;
  // In the round of distance d, all but the last d ranks send.
  const Count messages = problem.ranks * rounds - (Count{1} << rounds) + 1;
  Cost cost{rounds, volume, messages * problem.count, volume, messages};
  // From rank 0 on, by all distances that fit one after the other.
  cost.overlapped = rounds - floor_log2(problem.ranks);
  return cost;
}

}  // namespace cohort::prefix
