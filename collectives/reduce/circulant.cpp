// Reduction in blocks on the circulant graph: the broadcast played backward. Where the broadcast receives a block, this
// sends the rank's partial result for it; where the broadcast sends a block, this receives one and combines it.
// Cost: (n - 1 + ceil(log2 p)) (alpha + (beta + gamma) m / n) with n blocks. The operator must commute.
// Parameter: blocks.
// Source: Traeff, arXiv 2407.18004.
#include <algorithm>

#include "collectives/circulant_pipeline.hpp"
#include "collectives/pipeline_blocks.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/slots.hpp"

namespace cohort::reduce {
namespace {

class Reduction {
 public:
  Reduction(Schedule& schedule, const Problem& problem, Rank me)
      : blocks_(Blocks::split(pipeline_blocks(problem, ceil_log2(problem.ranks) - 1), problem.count)),
        pipeline_({problem.ranks, problem.root}, me, blocks_.size()),
        operand_(operand_buffer(problem, me)),
        is_root_(me == problem.root),
        // ceil(log2 p) more than are in use at once, so that receives can be posted ahead.
        partials_(schedule, is_root_ ? 0 : std::min(blocks_.size(), pipeline_.block_life() + ceil_log2(problem.ranks)),
                  blocks_.largest()),
        received_(schedule, Slots::usual, blocks_.largest()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  void write(std::size_t index, Round& round) const {
    const std::size_t forward = rounds() - 1 - index;
    if (const auto upward = pipeline_.received(forward)) {
      const bool has_children = pipeline_.sent_after(forward, upward.block);
      round.send(upward.peer, has_children ? partial(upward.block) : operand(upward.block));
    }
    if (const auto downward = pipeline_.sent(forward)) {
      const Segment sum = partial(downward.block);
      const bool first = operand(downward.block) != sum && !pipeline_.sent_after(forward, downward.block);
      const Segment arrival = first ? sum : received_.at(static_cast<Count>(index), sum.count);
      round.receive(downward.peer, arrival);
      round.combine_right(sum, first ? operand(downward.block) : arrival);
    }
  }

 private:
  Segment operand(Rank block) const { return blocks_.block(operand_, block); }

  Segment partial(Rank block) const {
    return is_root_ ? blocks_.block(Buffer::output, block) : partials_.at(block, blocks_.count(block));
  }

  Blocks blocks_;
  CirculantPipeline pipeline_;
  Buffer operand_;
  bool is_root_;
  Slots partials_;
  Slots received_;
};

}  // namespace

Schedule circulant(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) {
    if (!problem.in_place) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
    return schedule;
  }
  const Reduction reduction(schedule, problem, me);
  schedule.add_rounds(reduction.rounds(),
                      [reduction](std::size_t index, Round& round) { reduction.write(index, round); });
  return schedule;
}

}  // namespace cohort::reduce
