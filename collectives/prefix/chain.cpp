// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix along a chain of ranks, in blocks: for long vectors.
// Cost: (n + p - 2) (alpha + (beta + gamma) m / n) with n blocks; the best n gives (sqrt(beta m) + sqrt((p - 2)
// alpha))^2.
// Parameter: blocks.
// Source: folklore (linear pipeline); Sanders, Speck and Traeff 2009, section 2.
#include <algorithm>

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {

Schedule chain(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const auto blocks = Blocks::split(pipeline_blocks(problem, p - 2), problem.count);
  const Buffer operand = operand_buffer(problem, me);

  Schedule schedule;
  const Slots received(schedule, problem.in_place ? std::min<Count>(Slots::usual, blocks.size()) : 0, blocks.largest());
  // Rank r sends block b in round r + b.
  const std::size_t rounds = p == 1 ? 0 : static_cast<std::size_t>(blocks.size() + p - 2);
  schedule.add_rounds(rounds, [=](std::size_t index, Round& round) {
    const auto sent = static_cast<Count>(index) - me;
    const Count arriving = sent + 1;
    if (me < p - 1 && 0 <= sent && sent < blocks.size()) {
      round.send(me + 1, blocks.block(me == 0 ? operand : Buffer::output, static_cast<Rank>(sent)));
    }
    if (me > 0 && 0 <= arriving && arriving < blocks.size()) {
      const Segment own = blocks.block(operand, static_cast<Rank>(arriving));
      const Segment result = blocks.block(Buffer::output, static_cast<Rank>(arriving));
      if (own == result) {
        const Segment arrival = received.at(arriving, result.count);
        round.receive(me - 1, arrival);
        round.combine_left(result, arrival);
      } else {
        round.receive(me - 1, result);
        round.combine_right(result, own);
      }
    }
  });
  if (me == 0 && !problem.in_place) schedule.add_round().copy(problem.all(), problem.all(operand));
  return schedule;
}

}  // namespace cohort::prefix
