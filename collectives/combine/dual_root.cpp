// SPDX-License-Identifier: Apache-2.0
// Combine along two binary trees, one over each half of the ranks, pipelined both ways. Partial results go up, the two
// roots exchange theirs, and the results come down while later blocks still go up. The edges have three colours, used
// in turn. A block that goes up meets one that comes down.
// Cost: about (3 n + 4 log2 p) (alpha + (beta + gamma) m / n) with n blocks, and the operands keep their order. For
// long vectors combine/two_tree takes two thirds of that; for some of medium length this has fewer rounds.
// Parameter: blocks.
// Source: Traeff, arXiv 2109.12626 (there with post-order trees; here they are in order); see
// collectives/patterns/in_order_timetable.hpp.
#include <algorithm>

#include "collectives/combine/combine.hpp"
#include "collectives/patterns/arrivals.hpp"
#include "collectives/patterns/in_order_timetable.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"

namespace cohort::combine {
namespace {

struct Halves {
  Rank first_ranks;
  InOrderTimetable first;
  InOrderTimetable second;
  Rank blocks;

  explicit Halves(const Problem& problem)
      : first_ranks(problem.ranks / 2),
        first(InOrderTimetable::joined(first_ranks)),
        second(InOrderTimetable::joined(problem.ranks - first_ranks)),
        blocks(0) {
    const Count meeting = std::max(first.root_round(), second.root_round());
    first.put_off(meeting - first.root_round());
    second.put_off(meeting - second.root_round());
    blocks = pipeline_blocks(problem, (last() + 1) / first.period());
  }

  Count last() const { return std::max(first.last(), second.last()); }
  bool in_first(Rank rank) const { return rank < first_ranks; }

  TimetablePlace place(Rank rank) const {
    if (in_first(rank)) {
      TimetablePlace place = first.place(rank);
      if (rank == first.root_rank()) place.parent = first_ranks + second.root_rank();
      return place;
    }
    TimetablePlace place = second.place(rank - first_ranks);
    for (Rank* neighbour : {&place.parent, &place.left, &place.right}) *neighbour += first_ranks;
    if (is_root(rank)) place.parent = first.root_rank();
    return place;
  }

  bool is_root(Rank rank) const {
    return in_first(rank) ? rank == first.root_rank() : rank - first_ranks == second.root_rank();
  }
};

class DualRoot {
 public:
  DualRoot(Schedule& schedule, const Problem& problem, const Halves& halves, Rank me)
      : blocks_(Blocks::split(halves.blocks, problem.count)),
        period_(halves.first.period()),
        place_(halves.place(me)),
        is_root_(halves.is_root(me)),
        other_side_(halves.in_first(me) ? Side::right : Side::left),
        operand_(operand_buffer(problem, me)),
        arrivals_(schedule, std::min<Count>(blocks_.size(), 3 * Slots::usual), blocks_.largest()) {}

  void write(std::size_t index, Round& round) const {
    if (const Rank block = block_in(index, place_.up); block >= 0) {
      round.send(place_.parent, has_children() ? sum(block) : operand(block));
    }
    if (const Rank block = block_in(index, place_.left_down); block >= 0) round.send(place_.left, sum(block));
    if (const Rank block = block_in(index, place_.right_down); block >= 0) round.send(place_.right, sum(block));

    if (const Rank block = block_in(index, place_.left_up); block >= 0) {
      add(round, place_.left, block, !is_there(place_.right_up, place_.left_up), Side::left);
    }
    if (const Rank block = block_in(index, place_.right_up); block >= 0) {
      add(round, place_.right, block, !is_there(place_.left_up, place_.right_up), Side::right);
    }
    if (const Rank block = block_in(index, place_.down); block >= 0) {
      is_root_ ? add(round, place_.parent, block, !has_children(), other_side_)
               : round.receive(place_.parent, sum(block));
    }
  }

 private:
  Rank block_in(std::size_t index, Count first) const {
    const Count since = static_cast<Count>(index) - first;
    const bool passes = first != TimetablePlace::never && since >= 0 && since % period_ == 0;
    return passes && since / period_ < blocks_.size() ? static_cast<Rank>(since / period_) : -1;
  }

  static bool is_there(Count first, Count now) { return first != TimetablePlace::never && first < now; }
  bool has_children() const { return place_.has_left() || place_.right_up != TimetablePlace::never; }

  // Receives and combines a result of ranks that are all on one side of the ranks in this rank's sum.
  void add(Round& round, Rank from, Rank block, bool is_first, Side side) const {
    arrivals_.combine(round, from, side, is_first ? operand(block) : sum(block), sum(block), slot(block, side));
  }

  // The root gets up to three arrivals for a block, other ranks two.
  Count slot(Rank block, Side side) const { return 2 * Count{block} + (side == Side::right ? 1 : 0); }

  Segment operand(Rank block) const { return blocks_.block(operand_, block); }
  Segment sum(Rank block) const { return blocks_.block(Buffer::output, block); }

  Blocks blocks_;
  Count period_;
  TimetablePlace place_;
  bool is_root_;
  Side other_side_;
  Buffer operand_;
  Arrivals arrivals_;
};

}  // namespace

Schedule dual_root(const Problem& problem, Rank me) {
  if (problem.ranks == 1) return alone(problem);
  Schedule schedule;
  const Halves halves(problem);
  const DualRoot dual_root(schedule, problem, halves, me);
  const Count rounds = halves.last() + 1 + Count{halves.blocks - 1} * halves.first.period();
  schedule.add_rounds(static_cast<std::size_t>(rounds),
                      [dual_root](std::size_t index, Round& round) { dual_root.write(index, round); });
  return schedule;
}

Cost dual_root_cost(const Problem& problem) {
  if (problem.ranks == 1) return {};
  const Halves halves(problem);
  const Count period = halves.first.period();
  InOrderTimetable::Busy busy{BusyRounds(period), BusyRounds(period), BusyRounds(period)};
  halves.first.add_busy(busy, halves.blocks, InOrderTimetable::Down::kept);
  halves.second.add_busy(busy, halves.blocks, InOrderTimetable::Down::kept);
  busy.combining.add(halves.first.root_round(), halves.blocks);
  const Count size = problem.count / halves.blocks;
  const Count rounds = busy.passing.count();
  const Count twice = 2 * (Count{problem.ranks} - 1);  // up and down
  return {rounds,
          rounds * size,
          twice * problem.count,
          busy.combining.count() * size,
          twice * halves.blocks,
          0,
          std::max<Count>(rounds - halves.last() - 1, 0)};
}

}  // namespace cohort::combine
