// SPDX-License-Identifier: Apache-2.0
// Broadcast in blocks on the circulant graph: in every round every rank sends one block and receives another.
// Cost: (n - 1 + ceil(log2 p)) (alpha + beta m / n) with n blocks, the fewest rounds possible. The best n gives
// (sqrt(beta m) + sqrt((ceil(log2 p) - 1) alpha))^2; n = 1 costs what a binomial tree costs.
// Parameter: blocks.
// Source: Traeff, arXiv 2312.11236 and 2407.18004.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/circulant_pipeline.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort::bcast {

Schedule circulant(const Problem& problem, Rank me) {
  const auto blocks = Blocks::split(pipeline_blocks(problem, ceil_log2(problem.ranks) - 1), problem.count);
  const CirculantPipeline pipeline({problem.ranks, problem.root}, me, blocks.size());

  Schedule schedule;
  schedule.add_rounds(pipeline.rounds(), [pipeline, blocks](std::size_t index, Round& round) {
    if (const auto send = pipeline.sent(index)) round.send(send.peer, blocks.block(Buffer::output, send.block));
    if (const auto receive = pipeline.received(index)) {
      round.receive(receive.peer, blocks.block(Buffer::output, receive.block));
    }
  });
  return schedule;
}

}  // namespace cohort::bcast
