// SPDX-License-Identifier: Apache-2.0
// A reduction in blocks as a pipelined broadcast played backward. If the broadcast receives a block, the rank sends its
// sum for it. If the broadcast sends a block, another rank's sum arrives and is combined with this rank's.
//
// Each broadcast has a plan, for one rank:
//
//   std::size_t rounds() const;
//   std::optional<BackwardMove> received(std::size_t round) const;  // in this round of the broadcast
//   std::optional<BackwardMove> sent(std::size_t round) const;
//   ScratchSlots sums() const;      // for the incomplete sums of a rank that is not the root
//   ScratchSlots arrivals() const;  // for arriving sums
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "collectives/patterns/arrivals.hpp"
#include "collectives/peers.hpp"
#include "collectives/problem.hpp"

namespace cohort {

struct BackwardMove {
  Rank peer;
  Segment part;              // of the vector, in any buffer
  bool has_operand;          // the rank has only its operand for the part so far
  Count slot;                // the slot of its sum
  Count arrival = 0;         // the slot of the arrival
  Side side = Side::right;   // of the arriving operands
  Count offset_in_slot = 0;  // if slots hold several parts
};

struct ScratchSlots {
  Count slots;
  Count largest;
};

template <class Plan>
class BackwardPipeline {
 public:
  BackwardPipeline(Schedule& schedule, const Problem& problem, Plan plan, Rank me)
      : plan_(std::move(plan)),
        operand_(operand_buffer(problem, me)),
        is_root_(me == problem.root),
        sums_(schedule, is_root_ ? 0 : plan_.sums().slots, plan_.sums().largest),
        arrivals_(schedule, plan_.arrivals().slots, plan_.arrivals().largest) {}

  void write(std::size_t index, Round& round) const {
    const std::size_t forward = plan_.rounds() - 1 - index;
    if (const auto upward = plan_.received(forward)) round.send(upward->peer, standing(*upward));
    if (const auto downward = plan_.sent(forward)) {
      arrivals_.combine(round, downward->peer, downward->side, standing(*downward), sum(*downward), downward->arrival);
    }
  }

 private:
  Segment standing(const BackwardMove& move) const {
    return move.has_operand ? Segment{operand_, move.part.offset, move.part.count} : sum(move);
  }

  Segment sum(const BackwardMove& move) const {
    if (is_root_) return {Buffer::output, move.part.offset, move.part.count};
    Segment place = sums_.at(move.slot, move.part.count);
    place.offset += move.offset_in_slot;
    return place;
  }

  Plan plan_;
  Buffer operand_;
  bool is_root_;
  Slots sums_;
  Arrivals arrivals_;
};

template <class Plan>
Schedule play_backward(const Problem& problem, Plan plan, Rank me) {
  const std::size_t rounds = plan.rounds();
  Schedule schedule;
  const BackwardPipeline<Plan> pipeline(schedule, problem, std::move(plan), me);
  schedule.add_rounds(rounds, [pipeline](std::size_t index, Round& round) { pipeline.write(index, round); });
  return schedule;
}

// The blocks of a plan in which ranks have positions from the root onward. They become complete from the first to the
// last, so a next operation can begin with the first.
class BackwardBlocks {
 public:
  BackwardBlocks(const Problem& problem, Rank blocks, Rank me)
      : blocks_(Blocks::split(blocks, problem.count)),
        order_{problem.ranks, problem.root},
        position_(order_.position_of(me)) {}

  Rank size() const { return blocks_.size(); }
  Rank position() const { return position_; }  // of this rank

  // A block of the broadcast. The root is at one end, so all other ranks are on the same side of it.
  BackwardMove move(Rank position, Rank block, bool has_operand, Side side = Side::right) const {
    const Rank reversed = blocks_.size() - 1 - block;
    const Side others = order_.root == 0 ? Side::right : Side::left;
    return {order_.rank_at(position),      blocks_.block(Buffer::output, reversed), has_operand, reversed, reversed,
            position_ == 0 ? others : side};
  }

  // Enough to receive ahead, also for two trees that share them.
  ScratchSlots slots() const { return {std::min<Count>(blocks_.size(), 4 * Slots::usual), blocks_.largest()}; }

 private:
  Blocks blocks_;
  RootedOrder order_;
  Rank position_;
};

}  // namespace cohort
