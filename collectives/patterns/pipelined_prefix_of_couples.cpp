// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/pipelined_prefix_of_couples.hpp"

#include <algorithm>
#include <vector>

#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort {
namespace {

constexpr Count period = 8;  // rounds, for a block of either tree

}  // namespace

// The trees over the couples, and the ranks' places in them.
struct PipelinedPrefixOfCouples::Plan {
  Rank ranks;
  Rank couples;
  std::array<InOrderTimetable, 2> trees;
  Rank blocks;

  explicit Plan(const Problem& problem)
      : ranks(problem.ranks),
        couples(ranks / 4 * 2),
        trees{tree(0), tree(1)},
        blocks(pipeline_blocks(problem, rounds_of_one() * 2 / period)) {}

  InOrderTimetable tree(int index) const {
    return InOrderTimetable::of_two_with_couples(couples + (2 * couples < ranks ? 1 : 0), index);
  }
  const InOrderTimetable& at(int tree) const { return trees[static_cast<std::size_t>(tree)]; }

  // Until the last hand-over, or until the end of the chain.
  Count rounds_of_one() const { return 2 * std::max(trees[0].last(), trees[1].last()) + 3; }
  Count blocks_of(int tree) const { return (Count{blocks} - tree + 1) / 2; }
  std::size_t rounds() const { return static_cast<std::size_t>(rounds_of_one() + (blocks_of(0) - 1) * period); }

  bool upper_speaks(int tree, Rank couple) const {
    TimetablePlace place = at(tree).place(couple);
    const bool is_leaf = !place.has_left() && place.right_down == TimetablePlace::never;
    if (is_leaf) place = at(1 - tree).place(couple);
    const bool left_has_parents_colour =
        place.has_left() ? (place.left_up - place.edge_up) % 4 == 0 : (place.right_down - place.edge_down) % 4 != 0;
    return left_has_parents_colour != is_leaf;
  }
  Rank speaker(int tree, Rank couple) const { return 2 * couple + (upper_speaks(tree, couple) ? 1 : 0); }

  Place place(int tree, Rank me) const { return me < 2 * couples ? in_couple(tree, me) : in_chain(tree, me); }
  Place in_couple(int tree, Rank me) const;
  Place in_chain(int tree, Rank me) const;
};

PipelinedPrefixOfCouples::Place PipelinedPrefixOfCouples::Plan::in_couple(int tree, Rank me) const {
  const Rank couple = me / 2;
  const TimetablePlace node = at(tree).place(couple);
  Place place;
  place.is_upper = me % 2 != 0;
  place.is_speaker = upper_speaks(tree, couple) == place.is_upper;
  place.comes_down = node.comes_down();
  place.partner = place.is_upper ? me - 1 : me + 1;
  const auto even = [](Count round) { return round == TimetablePlace::never ? Place::never : 2 * round; };
  place.child_up = even(place.is_upper ? node.right_up : node.left_up);
  place.child_down = even(place.is_upper ? node.right_down : node.left_down);
  const bool has_child = place.child_up != Place::never || place.child_down != Place::never;
  if (has_child) place.child = speaker(tree, place.is_upper ? node.right : node.left);

  const bool b_speaks = place.is_upper == place.is_speaker;
  if (b_speaks || node.goes_up()) place.hand_up = 2 * node.edge_up + 1 - period;
  if (!b_speaks || node.comes_down() || !place.is_upper) place.hand_down = 2 * node.edge_down + 1;
  if (!place.is_speaker) return place;
  place.up = even(node.up);
  place.down = 2 * node.edge_down;
  const bool has_parent = node.goes_up() || node.comes_down();
  if (has_parent) {
    const bool is_below_chain = node.parent == couples;
    place.parent = 2 * node.parent + (!is_below_chain && node.parent < couple ? 1 : 0);
  }
  return place;
}

PipelinedPrefixOfCouples::Place PipelinedPrefixOfCouples::Plan::in_chain(int tree, Rank me) const {
  const Rank first = 2 * couples;
  const TimetablePlace top = at(tree).place(couples);
  Place place;
  place.is_upper = true;
  place.partner = me == first ? speaker(tree, top.left) : me - 1;
  place.hand_down = 2 * top.left_up + me - first;
  if (me + 1 < ranks) {
    place.child = me + 1;
    place.child_down = place.hand_down + 1;
  }
  return place;
}

unsigned PipelinedPrefixOfCouples::Place::residues() const {
  unsigned residues = 0;
  for (const Count first : {child_up, child_down, up, down, hand_up, hand_down}) {
    if (first != never) residues |= 1U << first % period;
  }
  return residues;
}

PipelinedPrefixOfCouples::PipelinedPrefixOfCouples(Schedule& schedule, const Problem& problem, Rank me,
                                                   const Plan& plan)
    : inclusive_(problem.operation == Operation::prefix),
      operand_(operand_buffer(problem, me)),
      blocks_(Blocks::split(plan.blocks, problem.count)),
      places_{plan.place(0, me), plan.place(1, me)},
      residues_{places_[0].residues(), places_[1].residues()},
      rounds_(plan.rounds()),
      held_(schedule, held_slots(), blocks_.largest()),
      upward_(schedule, slots(), blocks_.largest()),
      arrivals_(schedule, slots(), blocks_.largest()),
      before_(schedule, slots(), blocks_.largest()),
      next_(schedule, inclusive_ ? 0 : slots(), blocks_.largest()) {}

// Slots for held blocks, which wait for the block that comes down.
Count PipelinedPrefixOfCouples::held_slots() const {
  Count most = 0;
  for (const Place& place : places_) {
    if (!in_place() || !place.has_held()) continue;
    const Count waits = place.result() - (place.is_upper ? place.hand_up : place.child_up);
    most = std::max(most, std::min<Count>(blocks_.size(), (waits / period + 1) * 2 + slots()));
  }
  return most;
}

Rank PipelinedPrefixOfCouples::block_in(Count index, Count first, int tree) const {
  if (first == Place::never || index < first || (index - first) % period != 0) return -1;
  const Count block = tree + (index - first) / period * 2;
  return block < blocks_.size() ? static_cast<Rank>(block) : -1;
}

// This rank's result with its own operand, which the next ranks receive.
Segment PipelinedPrefixOfCouples::next(const Place& place, Rank block) const {
  const bool is_first = !place.has_held() && !place.gets_result();
  return is_first ? own(block) : inclusive_ ? output(block) : slot(next_, block);
}

void PipelinedPrefixOfCouples::write(std::size_t index, Round& round) const {
  for (int tree = 0; tree < 2; ++tree) {
    if ((residues_[static_cast<std::size_t>(tree)] >> index % period & 1U) == 0) continue;
    const Place& place = places_[static_cast<std::size_t>(tree)];
    send(round, place, static_cast<Count>(index), tree);
    receive(round, place, static_cast<Count>(index), tree);
  }
}

void PipelinedPrefixOfCouples::send(Round& round, const Place& place, Count index, int tree) const {
  if (const Rank block = block_in(index, place.hand_up, tree); block >= 0 && !place.is_speaker) {
    round.send(place.partner, place.child_up == Place::never ? own(block) : slot(upward_, block));
  }
  if (const Rank block = block_in(index, place.up, tree); block >= 0) round.send(place.parent, slot(upward_, block));
  if (const Rank block = block_in(index, place.hand_down, tree); block >= 0 && place.is_speaker) {
    round.send(place.partner, place.is_upper ? slot(before_, block) : next(place, block));
  }
  if (const Rank block = block_in(index, place.child_down, tree); block >= 0) {
    round.send(place.child, place.is_upper ? next(place, block) : slot(before_, block));
  }
}

void PipelinedPrefixOfCouples::receive(Round& round, const Place& place, Count index, int tree) const {
  if (const Rank block = block_in(index, place.child_up, tree); block >= 0) from_child(round, place, block);
  if (const Rank block = block_in(index, place.hand_up, tree); block >= 0 && place.is_speaker) {
    handed_up(round, place, block);
  }
  if (const Rank block = block_in(index, place.result(), tree); block >= 0) finish(round, place, block);
}

void PipelinedPrefixOfCouples::from_child(Round& round, const Place& place, Rank block) const {
  const Segment upward = slot(upward_, block);
  if (!place.is_upper) {
    round.receive(place.child, held(block));
    if (place.up != Place::never) round.combine_left(upward, held(block));
    if (place.is_speaker) return;
    round.copy(upward, held(block));
    round.combine_right(upward, own(block));
  } else if (place.is_speaker) {
    round.receive(place.child, slot(arrivals_, block));
    round.combine_right(upward, slot(arrivals_, block));
  } else {
    round.receive(place.child, upward);
    round.combine_left(upward, own(block));
  }
}

// The partner's data contain the result of the partner's child, whose edge has the parent edge's colour. The speaker's
// own child, whose edge has the other colour, sends later.
void PipelinedPrefixOfCouples::handed_up(Round& round, const Place& place, Rank block) const {
  const Segment upward = slot(upward_, block);
  if (!place.is_upper) {
    round.receive(place.partner, upward);
    round.combine_left(upward, own(block));
    return;
  }
  round.receive(place.partner, held(block));
  if (place.up == Place::never) return;
  round.copy(upward, held(block));
  round.combine_right(upward, own(block));
}

void PipelinedPrefixOfCouples::finish(Round& round, const Place& place, Rank block) const {
  Segment before;
  if (place.has_held()) before = held(block);
  if (place.gets_result()) {
    const bool is_passed_on = place.is_upper ? place.is_speaker : place.child_down != Place::never;
    const bool into_output = !place.has_held() && !is_passed_on && !in_place();
    const Segment arrival = into_output ? output(block) : slot(before_, block);
    round.receive(place.is_speaker ? place.parent : place.partner, arrival);
    if (place.has_held())
      round.combine_left(before, arrival);
    else
      before = arrival;
  } else if (!place.has_held()) {
    return;
  }
  if (inclusive_) {
    before == output(block) ? round.combine_right(before, own(block)) : round.combine_left(output(block), before);
    return;
  }
  if (place.makes_next()) {
    round.copy(slot(next_, block), before);
    round.combine_right(slot(next_, block), own(block));
  }
  if (before != output(block)) round.copy(output(block), before);
}

Schedule PipelinedPrefixOfCouples::schedule(const Problem& problem, Rank me) {
  Schedule schedule;
  const PipelinedPrefixOfCouples scan(schedule, problem, me, Plan(problem));
  schedule.add_rounds(scan.rounds_, [scan](std::size_t index, Round& round) { scan.write(index, round); });
  const bool is_its_result = me == 0 && problem.operation == Operation::prefix && !problem.in_place;
  if (is_its_result) schedule.add_round().copy(problem.all(), problem.all(Buffer::input));
  return schedule;
}

Cost PipelinedPrefixOfCouples::cost(const Problem& problem) {
  const Plan plan(problem);
  const bool inclusive = problem.operation == Operation::prefix;
  const Count size = problem.count / plan.blocks;
  BusyRounds passing(period);
  std::array<BusyRounds, 2> combining{BusyRounds(period), BusyRounds(period)};  // once, twice
  Count messages = 0;
  for (int tree = 0; tree < 2; ++tree) {
    // For each round of the first block: whether a message passes, and how often a rank combines.
    const auto rounds = static_cast<std::size_t>(plan.rounds_of_one());
    std::vector<char> passes(rounds, 0);
    std::vector<int> combines(rounds, 0);
    const auto add = [&](Count first, bool arrives, int combinations) {
      if (first == Place::never) return;
      const auto at = static_cast<std::size_t>(first);
      passes[at] |= arrives ? 1 : 0;
      combines[at] = std::max(combines[at], combinations);
      if (arrives) messages += plan.blocks_of(tree);
    };
    for (Rank me = 0; me < problem.ranks; ++me) {
      const Place place = plan.place(tree, me);
      const bool combines_child = place.is_upper || !place.is_speaker || place.up != Place::never;
      add(place.child_up, true, combines_child ? 1 : 0);
      if (place.is_speaker) add(place.hand_up, true, place.up != Place::never ? 1 : 0);
      const bool has_result = place.has_held() || place.gets_result();
      const int joins = place.has_held() && place.gets_result() ? 1 : 0;
      const int makes = has_result && (inclusive || place.makes_next()) ? 1 : 0;
      add(place.result(), place.gets_result(), joins + makes);
    }
    for (std::size_t first = 0; first < rounds; ++first) {
      if (passes[first] != 0) passing.add(static_cast<Count>(first), plan.blocks_of(tree));
      for (int times = 0; times < combines[first]; ++times) {
        combining[static_cast<std::size_t>(times)].add(static_cast<Count>(first), plan.blocks_of(tree));
      }
    }
  }
  const Count rounds = passing.count();
  return {rounds, rounds * size, messages * size, (combining[0].count() + combining[1].count()) * size, messages};
}

}  // namespace cohort
