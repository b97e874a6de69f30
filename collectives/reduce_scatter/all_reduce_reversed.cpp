// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter as p pipelined reductions at once on the circulant graph, one to each rank: concat/all_broadcast
// played backward, for blocks of very unequal sizes. If the broadcast receives pieces, this sends its partial results
// for them; if the broadcast sends pieces, this receives some and combines them. The operator must commute.
// Cost: (n - 1 + ceil(log2 p)) alpha + at most (n - 1 + ceil(log2 p)) / n (beta + gamma) m, with each block in n
// pieces; equal blocks cost (p - 1) / p (beta + gamma) m.
// Parameter: blocks, the pieces of each block.
// Source: Traeff, arXiv 2407.18004 (all-reduction).
#include <memory>

#include "collectives/patterns/circulant_superposition.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule all_reduce_reversed(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Segment operand{Buffer::input, 0, blocks.total()};
  const Segment own = blocks.block(Buffer::input, me);
  const Segment result{Buffer::output, 0, own.count};

  Schedule schedule;
  schedule.add_round().copy(result, own);
  if (problem.ranks == 1) return schedule;
  // Partial results of all blocks except this rank's, which is in the output.
  const Segment work = schedule.add_scratch(blocks.total());
  schedule.add_round().copy(work, operand);
  const auto partial = [=](Segment piece) -> Segment {
    const bool mine = own.offset <= piece.offset && piece.offset < own.end();
    if (mine) return {Buffer::output, piece.offset - own.offset, piece.count};
    return {Buffer::scratch, work.offset + piece.offset, piece.count};
  };
  const auto pipelines = std::make_shared<const CirculantSuperposition>(blocks, me, superposition_pieces(problem));
  const Slots received(schedule, Slots::usual, pipelines->longest_message());
  schedule.add_rounds(pipelines->rounds(), [=](std::size_t index, Round& round) {
    const std::size_t forward = pipelines->rounds() - 1 - index;
    const CirculantSuperposition::Move upward = pipelines->received(forward);
    Segments departure;
    for (const Segment& piece : upward.pieces) departure.add(partial(piece));
    round.send(upward.peer, departure);

    const CirculantSuperposition::Move downward = pipelines->sent(forward);
    Segment arrival = received.at(static_cast<Count>(index), 0);
    for (const Segment& piece : downward.pieces) {
      round.combine_right(partial(piece), {Buffer::scratch, arrival.offset + arrival.count, piece.count});
      arrival.count += piece.count;
    }
    round.receive(downward.peer, arrival);
  });
  return schedule;
}

}  // namespace cohort::reduce_scatter
