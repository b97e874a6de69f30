// SPDX-License-Identifier: Apache-2.0
// Broadcast over a mesh in pieces that are pipelined along one dimension after the other (Watts' DOPL). In each step
// all rows of one dimension are busy with one piece each. Every rank talks to its neighbours in the mesh only.
// Cost: with k pieces, cut into k_i parts along dimension i of s_i ranks, in d dimensions: sum over i of ceil((k + d -
// 1 - i) / d) (s_i + k_i - 2) (alpha + beta m / (k k_i)).
// Parameters: pieces (k); blocks, k times k_i. Takes the mesh. Without one the ranks are a line, and this is the linear
// pipeline: (n + p - 2) (alpha + beta m / n) with n blocks.
// Source: Watts 1994, sections 6.2 and 9; see collectives/patterns/dimension_pipeline.hpp.
#include "collectives/patterns/dimension_pipeline.hpp"

#include "collectives/bcast/bcast.hpp"

namespace cohort::bcast {

Schedule dimension_pipeline(const Problem& problem, Rank me) {
  const DimensionPipeline pipeline(problem, me);
  Schedule schedule;
  schedule.add_rounds(pipeline.rounds(), [pipeline](std::size_t index, Round& round) {
    if (const auto send = pipeline.sent(index)) round.send(send->peer, send->where);
    if (const auto receive = pipeline.received(index)) round.receive(receive->peer, receive->where);
  });
  return schedule;
}

}  // namespace cohort::bcast
