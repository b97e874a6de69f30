// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/pipelined_prefix.hpp"

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"

namespace cohort {

// The trees, and the blocks of each: block b goes to tree b mod `count`.
struct PipelinedPrefix::Plan {
  int count;
  std::array<InOrderTimetable, 2> trees;
  Rank blocks;

  Plan(const Problem& problem, int count)
      : count(count), trees(made(problem.ranks, count)), blocks(pipeline_blocks(problem, delay())) {}

  static std::array<InOrderTimetable, 2> made(Rank ranks, int count) {
    if (count == 2) return {InOrderTimetable::of_two(ranks, 0), InOrderTimetable::of_two(ranks, 1)};
    const InOrderTimetable single = InOrderTimetable::single(ranks);
    return {single, single};
  }

  Count period() const { return trees[0].period(); }

  // In blocks, each of which takes period / count rounds.
  Count delay() const { return (std::max(trees[0].last(), trees[1].last()) + 1) * count / period(); }

  Count blocks_of(int tree) const { return (Count{blocks} - tree + count - 1) / count; }

  std::size_t rounds() const {
    Count rounds = 0;
    for (int tree = 0; tree < count; ++tree) {
      if (blocks_of(tree) == 0) continue;
      const Count last = trees[static_cast<std::size_t>(tree)].last();
      rounds = std::max(rounds, last + 1 + (blocks_of(tree) - 1) * period());
    }
    return static_cast<std::size_t>(rounds);
  }
};

PipelinedPrefix::PipelinedPrefix(Schedule& schedule, const Problem& problem, Rank me, const Plan& plan)
    : trees_(plan.count),
      inclusive_(problem.operation == Operation::prefix),
      operand_(operand_buffer(problem, me)),
      blocks_(Blocks::split(plan.blocks, problem.count)),
      period_(plan.period()),
      places_{plan.trees[0].place(me), plan.trees[1].place(me)},
      rounds_(plan.rounds()),
      lefts_(schedule, lefts(), blocks_.largest()),
      upward_(schedule, slots([](const TimetablePlace& place) {
                return place.goes_up() && (place.has_left() || place.right_up != TimetablePlace::never);
              }),
              blocks_.largest()),
      from_right_(schedule, slots([](const TimetablePlace& place) { return place.right_up != TimetablePlace::never; }),
                  blocks_.largest()),
      from_parent_(schedule, slots([](const TimetablePlace& place) { return place.comes_down(); }), blocks_.largest()),
      for_right_(schedule, for_right(), blocks_.largest()) {}

template <class Uses>
Count PipelinedPrefix::slots(const Uses& uses) const {
  return std::any_of(places_.begin(), places_.end(), uses) ? slots() : 0;
}

Rank PipelinedPrefix::block_in(Count index, Count first, int tree) const {
  if (first == TimetablePlace::never || index < first || (index - first) % period_ != 0) return -1;
  const Count block = tree + (index - first) / period_ * trees_;
  return block < blocks_.size() ? static_cast<Rank>(block) : -1;
}

// Slots for blocks that wait for so many rounds.
Count PipelinedPrefix::slots_over(Count rounds) const {
  return std::min<Count>(blocks_.size(), (rounds / period_ + 1) * trees_ + slots());
}

// Slots for results of the left child, which wait for the parent's result.
Count PipelinedPrefix::lefts() const {
  Count most = 0;
  for (const TimetablePlace& place : places_) {
    if (in_place() && place.has_left())
      most = std::max(most, slots_over(std::max<Count>(place.down - place.left_up, 0)));
  }
  return most;
}

// Slots for results for the right child. On the left spine they are ready early, and wait until the right child's
// round.
Count PipelinedPrefix::for_right() const {
  Count most = 0;
  for (const TimetablePlace& place : places_) {
    const bool is_made =
        !inclusive_ && place.right_down != TimetablePlace::never && (place.comes_down() || place.has_left());
    if (is_made) most = std::max(most, slots_over(place.right_down - std::max(place.down, place.left_up)));
  }
  return most;
}

void PipelinedPrefix::write(std::size_t index, Round& round) const {
  for (int tree = 0; tree < trees_; ++tree) {
    const TimetablePlace& place = places_[static_cast<std::size_t>(tree)];
    send(round, place, static_cast<Count>(index), tree);
    receive(round, place, static_cast<Count>(index), tree);
  }
}

void PipelinedPrefix::send(Round& round, const TimetablePlace& place, Count index, int tree) const {
  if (const Rank block = block_in(index, place.up, tree); block >= 0) {
    const bool is_leaf = !place.has_left() && place.right_up == TimetablePlace::never;
    round.send(place.parent, is_leaf ? own(block) : slot(upward_, block));
  }
  if (const Rank block = block_in(index, place.left_down, tree); block >= 0) {
    round.send(place.left, slot(from_parent_, block));
  }
  if (const Rank block = block_in(index, place.right_down, tree); block >= 0) {
    const bool is_first = !place.has_left() && !place.comes_down();
    round.send(place.right, is_first ? own(block) : inclusive_ ? output(block) : slot(for_right_, block));
  }
}

void PipelinedPrefix::receive(Round& round, const TimetablePlace& place, Count index, int tree) const {
  if (const Rank block = block_in(index, place.left_up, tree); block >= 0) from_left(round, place, block);
  if (const Rank block = block_in(index, place.right_up, tree); block >= 0) from_right(round, place, block);
  if (const Rank block = block_in(index, place.down, tree); block >= 0) from_parent(round, place, block);
}

void PipelinedPrefix::from_left(Round& round, const TimetablePlace& place, Rank block) const {
  const Segment left = left_part(block);
  round.receive(place.left, left);
  if (place.goes_up()) {
    const Segment upward = slot(upward_, block);
    const bool right_is_there = place.right_up != TimetablePlace::never && place.right_up < place.left_up;
    if (right_is_there) {
      round.combine_left(upward, left);
    } else {
      round.copy(upward, left);
      round.combine_right(upward, own(block));
    }
  }
  if (!place.comes_down()) finish(round, place, block, left);
}

void PipelinedPrefix::from_right(Round& round, const TimetablePlace& place, Rank block) const {
  const Segment upward = slot(upward_, block);
  const bool left_is_there = place.has_left() && place.left_up < place.right_up;
  if (left_is_there) {
    const Segment arrival = slot(from_right_, block);
    round.receive(place.right, arrival);
    round.combine_right(upward, arrival);
  } else {
    round.receive(place.right, upward);
    round.combine_left(upward, own(block));
  }
}

void PipelinedPrefix::from_parent(Round& round, const TimetablePlace& place, Rank block) const {
  const bool into_output = !place.has_left() && !in_place();
  const Segment arrival = into_output ? output(block) : slot(from_parent_, block);
  round.receive(place.parent, arrival);
  if (place.has_left()) round.combine_left(left_part(block), arrival);
  finish(round, place, block, place.has_left() ? left_part(block) : arrival);
}

// `before` is the result of all ranks before this one. It is in the output, unless the output holds the operand.
void PipelinedPrefix::finish(Round& round, const TimetablePlace& place, Rank block, const Segment& before) const {
  if (inclusive_) {
    before == output(block) ? round.combine_right(before, own(block)) : round.combine_left(output(block), before);
    return;
  }
  if (place.right_down != TimetablePlace::never) {
    round.copy(slot(for_right_, block), before);
    round.combine_right(slot(for_right_, block), own(block));
  }
  if (before != output(block)) round.copy(output(block), before);
}

Schedule PipelinedPrefix::schedule(const Problem& problem, Rank me, int trees) {
  Schedule schedule;
  if (problem.ranks > 1) {
    const PipelinedPrefix scan(schedule, problem, me, Plan(problem, trees));
    schedule.add_rounds(scan.rounds_, [scan](std::size_t index, Round& round) { scan.write(index, round); });
  }
  const bool is_its_result = me == 0 && problem.operation == Operation::prefix && !problem.in_place;
  if (is_its_result) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
  return schedule;
}

Cost PipelinedPrefix::cost(const Problem& problem, int trees) {
  if (problem.ranks == 1) return {};
  const Plan plan(problem, trees);
  const Count size = problem.count / plan.blocks;
  InOrderTimetable::Busy busy{BusyRounds(plan.period()), BusyRounds(plan.period()), BusyRounds(plan.period())};
  const auto down = problem.operation == Operation::prefix ? InOrderTimetable::Down::combined_for_inclusive
                                                           : InOrderTimetable::Down::combined_for_exclusive;
  Count messages = 0;
  for (int tree = 0; tree < trees; ++tree) {
    const InOrderTimetable& it = plan.trees[static_cast<std::size_t>(tree)];
    it.add_busy(busy, plan.blocks_of(tree), down);
    messages += plan.blocks_of(tree) * it.edges_used();
  }
  const Count rounds = busy.passing.count();
  return {rounds,
          rounds * size,
          messages * size,
          (busy.combining.count() + busy.combining_twice.count()) * size,
          messages,
          0,
          std::max<Count>(rounds - 2 * ceil_log2(problem.ranks), 0)};
}

}  // namespace cohort
