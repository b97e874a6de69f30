// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast as p pipelined broadcasts at once on the circulant graph: for blocks of very unequal sizes.
// Cost: (n - 1 + ceil(log2 p)) alpha + at most (n - 1 + ceil(log2 p)) / n beta m, with each block in n pieces: one long
// block alone costs what bcast/circulant does; equal blocks cost (p - 1) / p beta m.
// Parameter: blocks, the pieces of each block.
// Source: Traeff, arXiv 2407.18004 (all-broadcast).
#include <memory>

#include "collectives/concat/concat.hpp"
#include "collectives/patterns/circulant_superposition.hpp"

namespace cohort::concat {

Schedule all_broadcast(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  Schedule schedule;
  add_own_block(schedule, problem, me);
  const auto pipelines = std::make_shared<const CirculantSuperposition>(blocks, me, superposition_pieces(problem));
  schedule.add_rounds(pipelines->rounds(), [pipelines](std::size_t index, Round& round) {
    const auto add = [](const CirculantSuperposition::Move& move) {
      Segments segments;
      for (const Segment& piece : move.pieces) segments.add(piece);
      return segments;
    };
    const CirculantSuperposition::Move sent = pipelines->sent(index);
    const CirculantSuperposition::Move received = pipelines->received(index);
    round.send(sent.peer, add(sent));
    round.receive(received.peer, add(received));
  });
  return schedule;
}

}  // namespace cohort::concat
