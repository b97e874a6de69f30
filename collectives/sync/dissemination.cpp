// Barrier: in round k every rank signals to the one 2^k after it, which so hears of twice as many ranks as before.
// Cost: ceil(log2 p) alpha.
// Source: Hensgen, Finkel and Manber 1988; CCL section 4.10.
#include "collectives/peers.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort::sync {

Schedule dissemination(const Problem& problem, Rank me) {
  Schedule schedule;
  for (std::int64_t distance = 1; distance < problem.ranks; distance *= 2) {
    Round& round = schedule.add_round();
    round.fence();
    round.signal(modulo(me + distance, problem.ranks));
    round.await(modulo(me - distance, problem.ranks));
  }
  return schedule;
}

}  // namespace cohort::sync
