// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/circulant_blocks.hpp"

#include <algorithm>

#include "collectives/patterns/circulant_schedule.hpp"
#include "collectives/patterns/cyclic_blocks.hpp"

namespace cohort {

void add_circulant_reduce_scatter(Schedule& schedule, const Blocks& blocks, Rank me, const Segment& operand,
                                  const Segment& work) {
  const CirculantGraph graph(blocks.size());
  const CyclicBlocks mine(blocks, me);
  // Blocks at positions before `begun` have a partial result in `work`; the others have only the operand.
  Rank begun = operand == work ? blocks.size() : 0;

  for (int k = graph.rounds() - 1; k >= 0; --k) {
    const Rank sent = graph.skip(k);
    const Rank end = graph.skip(k + 1);
    const Rank received = end - sent;
    Segments departure = mine.run(work, sent, std::clamp(begun, sent, end));
    for (const Segment& segment : mine.run(operand, std::clamp(begun, sent, end), end)) departure.add(segment);

    Round& round = schedule.add_round();
    round.send(graph.after(me, k), departure);
    const Segments sums = mine.run(work, 0, received);
    if (begun == 0) {
      round.receive(graph.before(me, k), sums);
      const Segments operands = mine.run(operand, 0, received);
      for (std::size_t i = 0; i < sums.size(); ++i) round.combine_left(sums.begin()[i], operands.begin()[i]);
      begun = received;
    } else {
      Segment arrival = schedule.add_scratch(sums.count());
      round.receive(graph.before(me, k), arrival);
      for (const Segment& sum : sums) {
        round.combine_right(sum, {Buffer::scratch, arrival.offset, sum.count});
        arrival.offset += sum.count;
      }
    }
  }
}

void add_circulant_concat(Schedule& schedule, const Blocks& blocks, Rank me, const Segment& vector) {
  const CirculantGraph graph(blocks.size());
  const CyclicBlocks mine(blocks, me);
  for (int k = 0; k < graph.rounds(); ++k) {
    const Rank known = graph.skip(k);
    const Rank added = graph.skip(k + 1) - known;
    Round& round = schedule.add_round();
    round.send(graph.before(me, k), mine.run(vector, 0, added));
    round.receive(graph.after(me, k), mine.run(vector, known, known + added));
  }
}

}  // namespace cohort
