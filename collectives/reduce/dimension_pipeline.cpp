// Reduction over a mesh in pieces that are pipelined along one dimension after the other: bcast/dimension_pipeline
// played backward. Where the broadcast receives a part, this sends the rank's partial result for it; where the
// broadcast sends, this receives and combines. The operator must commute.
// Cost: that of the broadcast with beta + gamma for beta.
// Parameters: pieces and blocks, as for the broadcast. Takes the mesh; without one the ranks are a line.
// Source: Watts 1994, sections 6.2 and 11; see collectives/dimension_pipeline.hpp.
#include "collectives/dimension_pipeline.hpp"

#include "collectives/reduce/reduce.hpp"
#include "collectives/slots.hpp"

namespace cohort::reduce {
namespace {

class Reduction {
 public:
  using Move = DimensionPipeline::Move;

  Reduction(Schedule& schedule, const Problem& problem, Rank me)
      : pipeline_(problem, me),
        operand_(operand_buffer(problem, me)),
        is_root_(me == problem.root),
        partials_(schedule, is_root_ ? 0 : pipeline_.slots(), pipeline_.slot_elements()),
        received_(schedule, Slots::usual, pipeline_.longest_part()) {}

  std::size_t rounds() const { return pipeline_.rounds(); }

  void write(std::size_t index, Round& round) const {
    const std::size_t forward = rounds() - 1 - index;
    if (const auto upward = pipeline_.received(forward)) {
      const bool has_children = pipeline_.sent_after(upward->step - 1, upward->piece);
      round.send(upward->peer, has_children ? partial(*upward) : operand(*upward));
    }
    if (const auto downward = pipeline_.sent(forward)) {
      const Segment sum = partial(*downward);
      const Segment own = operand(*downward);
      const bool first = own != sum && !pipeline_.sent_after(downward->step, downward->piece);
      const Segment arrival = first ? sum : received_.at(static_cast<Count>(index), sum.count);
      round.receive(downward->peer, arrival);
      round.combine_right(sum, first ? own : arrival);
    }
  }

 private:
  Segment operand(const Move& move) const { return {operand_, move.where.offset, move.where.count}; }

  Segment partial(const Move& move) const {
    if (is_root_) return move.where;
    Segment place = partials_.at(pipeline_.slot_of(move), move.where.count);
    place.offset += pipeline_.offset_in_slot(move);
    return place;
  }

  DimensionPipeline pipeline_;
  Buffer operand_;
  bool is_root_;
  Slots partials_;
  Slots received_;
};

}  // namespace

Schedule dimension_pipeline(const Problem& problem, Rank me) {
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
