// Inclusive prefix: every rank's result covers twice as many ranks before it after each round.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m).
// Source: Hillis and Steele 1986; CCL section 4.2.
#include "collectives/prefix/prefix.hpp"
#include "collectives/slots.hpp"

namespace cohort::prefix {

Schedule doubling(const Problem& problem, Rank me) {
  const Segment operand = problem.all(operand_buffer(problem, me));
  const Segment result = problem.all();

  Schedule schedule;
  const Slots received(schedule, 2, problem.count);
  Segment partial = operand;
  Count arrivals = 0;
  for (std::int64_t distance = 1; distance < problem.ranks; distance *= 2) {
    Round& round = schedule.add_round();
    if (me + distance < problem.ranks) round.send(static_cast<Rank>(me + distance), partial);
    if (me < distance) continue;
    if (partial != result) {
      round.receive(static_cast<Rank>(me - distance), result);
      round.combine_right(result, operand);
      partial = result;
    } else {
      const Segment arrival = received.at(arrivals++, problem.count);
      round.receive(static_cast<Rank>(me - distance), arrival);
      round.combine_left(result, arrival);
    }
  }
  if (me == 0 && operand != result) schedule.add_round().copy(result, operand);
  return schedule;
}

}  // namespace cohort::prefix
