// SPDX-License-Identifier: Apache-2.0
// Reduction in blocks on the circulant graph: the broadcast played backward. If the broadcast receives a block, this
// sends the rank's partial result for it. If the broadcast sends a block, this receives one and combines it.
// Cost: (n - 1 + ceil(log2 p)) (alpha + (beta + gamma) m / n) with n blocks. The operator must commute.
// Parameter: blocks.
// Source: Traeff, arXiv 2407.18004.
#include "collectives/patterns/backward_pipeline.hpp"
#include "collectives/patterns/circulant_pipeline.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

class CirculantPlan {
 public:
  CirculantPlan(const Problem& problem, Rank me)
      : blocks_(Blocks::split(pipeline_blocks(problem, ceil_log2(problem.ranks) - 1), problem.count)),
        pipeline_({problem.ranks, problem.root}, me, blocks_.size()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }
  std::optional<BackwardMove> received(std::size_t round) const { return move(pipeline_.received(round), round); }
  std::optional<BackwardMove> sent(std::size_t round) const { return move(pipeline_.sent(round), round); }

  // One and a half times the slots that are in use at once, so that receives can be posted ahead.
  ScratchSlots sums() const {
    return {std::min(blocks_.size(), pipeline_.block_life() + pipeline_.block_life() / 2), blocks_.largest()};
  }
  ScratchSlots arrivals() const { return {Slots::for_blocks(blocks_.size()), blocks_.largest()}; }

 private:
  std::optional<BackwardMove> move(const CirculantPipeline::Move& move, std::size_t round) const {
    if (!move) return {};
    return BackwardMove{.peer = move.peer,
                        .part = blocks_.block(Buffer::output, move.block),
                        .has_operand = !pipeline_.sent_after(round, move.block),
                        .slot = move.block,
                        .arrival = static_cast<Count>(round)};
  }

  Blocks blocks_;
  CirculantPipeline pipeline_;
};

}  // namespace

Schedule circulant(const Problem& problem, Rank me) {
  return problem.ranks == 1 ? alone(problem) : play_backward(problem, CirculantPlan(problem, me), me);
}

}  // namespace cohort::reduce
