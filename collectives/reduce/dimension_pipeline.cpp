// SPDX-License-Identifier: Apache-2.0
// Reduction over a mesh in pieces that are pipelined along one dimension after the other: bcast/dimension_pipeline
// played backward. If the broadcast receives a part, this sends the rank's partial result for it. If the broadcast
// sends a part, this receives one and combines it. The operator must commute.
// Cost: that of the broadcast with beta + gamma for beta.
// Parameters: pieces and blocks, as for the broadcast. Takes the mesh; without one the ranks are a line.
// Source: Watts 1994, sections 6.2 and 11; see collectives/patterns/dimension_pipeline.hpp.
#include "collectives/patterns/dimension_pipeline.hpp"

#include "collectives/patterns/backward_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

class DimensionPlan {
 public:
  using Move = DimensionPipeline::Move;

  DimensionPlan(const Problem& problem, Rank me) : pipeline_(problem, me) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  std::optional<BackwardMove> received(std::size_t round) const {
    const auto move = pipeline_.received(round);
    // The broadcast may send a part in the step in which it receives it.
    return move ? std::optional(backward(*move, move->step - 1, round)) : std::nullopt;
  }

  std::optional<BackwardMove> sent(std::size_t round) const {
    const auto move = pipeline_.sent(round);
    return move ? std::optional(backward(*move, move->step, round)) : std::nullopt;
  }

  ScratchSlots sums() const { return {pipeline_.slots(), pipeline_.slot_elements()}; }
  ScratchSlots arrivals() const {
    return {std::min<Count>(Slots::usual, static_cast<Count>(rounds())), pipeline_.longest_part()};
  }

 private:
  BackwardMove backward(const Move& move, Rank step, std::size_t round) const {
    return {.peer = move.peer,
            .part = move.where,
            .has_operand = !pipeline_.sent_after(step, move.piece),
            .slot = pipeline_.slot_of(move),
            .arrival = static_cast<Count>(round),
            .offset_in_slot = pipeline_.offset_in_slot(move)};
  }

  DimensionPipeline pipeline_;
};

}  // namespace

Schedule dimension_pipeline(const Problem& problem, Rank me) {
  return problem.ranks == 1 ? alone(problem) : play_backward(problem, DimensionPlan(problem, me), me);
}

}  // namespace cohort::reduce
