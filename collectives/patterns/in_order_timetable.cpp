// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/in_order_timetable.hpp"

#include <bitset>
#include <limits>

namespace cohort {
namespace {

// The least number that is at least `least` and has this residue.
Count next_with(Count residue, Count period, Count least) {
  return least + ((residue - least) % period + period) % period;
}

// The delay, 1 to `period` rounds, from a message with the residue `from` to the next one with the residue `to`.
Count rounds_between(Count from, Count to, Count period) { return next_with(to, period, from + 1) - from; }

}  // namespace

InOrderTimetable InOrderTimetable::single(Rank ranks) {
  InOrderTimetable made(InOrderTree{ranks});
  made.set_times();
  return made;
}

InOrderTimetable InOrderTimetable::untimed_of_two(Rank ranks, int tree) {
  InOrderTimetable made(InOrderTree{ranks - ranks % 2});
  made.two_ = true;
  made.mirrored_ = tree == 1;
  made.has_top_ = ranks % 2 != 0;
  made.period_ = 4;
  // The second tree's colours are the first's, swapped.
  made.up_residue_ = made.mirrored_ ? std::array<Count, 3>{1, 0, 0} : std::array<Count, 3>{0, 1, 0};
  made.down_residue_ = made.mirrored_ ? std::array<Count, 3>{3, 2, 0} : std::array<Count, 3>{2, 3, 0};
  return made;
}

InOrderTimetable InOrderTimetable::of_two(Rank ranks, int tree) {
  InOrderTimetable made = untimed_of_two(ranks, tree);
  made.set_times();
  return made;
}

InOrderTimetable InOrderTimetable::of_two_with_couples(Rank couples, int tree) {
  InOrderTimetable made = untimed_of_two(couples, tree);
  made.couples_ = true;
  made.set_times();
  return made;
}

InOrderTimetable InOrderTimetable::joined(Rank ranks) {
  InOrderTimetable made(InOrderTree{ranks});
  made.joined_ = true;
  made.set_times();
  return made;
}

void InOrderTimetable::put_off(Count rounds) {
  root_up_ += rounds;
  root_down_ += rounds;
  last_ += rounds;
}

Count InOrderTimetable::up_delay(int parent_colour, int child_colour) const {
  return rounds_between(up_residue_[static_cast<std::size_t>(child_colour)],
                        up_residue_[static_cast<std::size_t>(parent_colour)], period_);
}

Count InOrderTimetable::down_delay(int parent_colour, int child_colour) const {
  return rounds_between(down_residue_[static_cast<std::size_t>(parent_colour)],
                        down_residue_[static_cast<std::size_t>(child_colour)], period_);
}

InOrderTimetable::At InOrderTimetable::root() const {
  if (tree_.nodes == 0) return {};
  return {tree_.root(), two_ ? 1 : 0, root_up_, root_down_, !joined_, !joined_ && !has_top_};
}

int InOrderTimetable::colour_of_child(const At& parent, Rank child) const {
  if (two_) return TwoTreeColours(tree_).of_child(parent.node, parent.colour != 0, child);
  return (parent.colour + (child < parent.node ? 2 : 1)) % 3;
}

InOrderTimetable::At InOrderTimetable::child(const At& parent, bool left) const {
  const Rank node = left != mirrored_ ? InOrderTree::left(parent.node) : tree_.right(parent.node);
  if (node == InOrderTree::none) return {};
  const int colour = colour_of_child(parent, node);
  return {node,
          colour,
          parent.up - up_delay(parent.colour, colour),
          parent.down + down_delay(parent.colour, colour),
          parent.on_left_spine && left,
          parent.on_right_spine && !left};
}

template <class OnNode, class OnComplete>
void InOrderTimetable::visit(const At& at, const OnNode& on_node, const OnComplete& on_complete) const {
  if (at.node == InOrderTree::none) return;
  if (!at.on_left_spine && !at.on_right_spine && is_complete(at.node)) return on_complete(at);
  on_node(at);
  visit(child(at, true), on_node, on_complete);
  visit(child(at, false), on_node, on_complete);
}

void InOrderTimetable::set_times() {
  if (tree_.nodes == 0) return;
  // In a complete subtree, some path has the longest delay at every level. With two trees this path takes the child
  // with the parent's colour, with one tree the child two colours away.
  const Count longest = two_ ? period_ : period_ - 1;
  Count earliest_up = 0;
  Count latest_up = std::numeric_limits<Count>::min();
  Count latest_down = latest_up;
  Count lead = latest_up;  // how much later than the way up the way down must start: it needs the left subtree's result
  Count spine_edges = 0;
  const auto on_node = [&](const At& at) {
    const At left = child(at, true);
    const At right = child(at, false);
    if (!at.on_right_spine || couples_) {
      earliest_up = std::min(earliest_up, at.up);
      latest_up = std::max(latest_up, at.up);
    }
    if (!at.on_left_spine || couples_) latest_down = std::max(latest_down, at.down);
    if (couples_) lead = std::max(lead, at.up - period_ - at.down);
    if (left.node != InOrderTree::none && (!at.on_left_spine || couples_)) lead = std::max(lead, left.up - at.down);
    if (left.node != InOrderTree::none && right.node != InOrderTree::none) lead = std::max(lead, left.up - right.down);
    spine_edges += (at.on_left_spine ? 1 : 0) + (at.on_right_spine ? 1 : 0);
  };
  visit(root(), on_node, [&](const At& at) {
    const Count depth = InOrderTree::height(at.node);
    earliest_up = std::min(earliest_up, at.up - depth * longest);
    latest_up = std::max(latest_up, at.up);
    latest_down = std::max(latest_down, at.down + depth * longest);
    const At left = child(at, true);
    if (left.node != InOrderTree::none) lead = std::max(lead, left.up - at.down);
  });
  const auto colour = static_cast<std::size_t>(root().colour);
  root_up_ = next_with(up_residue_[colour], period_, (couples_ ? period_ : 0) - earliest_up);
  root_down_ = next_with(down_residue_[colour], period_, root_up_ + std::max<Count>(lead, -root_up_ - 1) + 1);
  if (joined_) root_down_ = root_up_;
  last_ = std::max(latest_up + root_up_, latest_down + root_down_);
  edges_used_ = 2 * tree_.nodes - spine_edges;
}

TimetablePlace InOrderTimetable::place_of(const At& at, Rank parent) const {
  TimetablePlace place;
  place.parent = parent;
  place.edge_up = at.up;
  place.edge_down = at.down;
  if (!at.on_right_spine) place.up = at.up;
  if (!at.on_left_spine) place.down = at.down;
  const At left = child(at, true);
  const At right = child(at, false);
  if (left.node != InOrderTree::none) {
    place.left = rank_of(left.node);
    place.left_up = left.up;
    if (!at.on_left_spine) place.left_down = left.down;
  }
  if (right.node != InOrderTree::none) {
    place.right = rank_of(right.node);
    if (!at.on_right_spine) place.right_up = right.up;
    place.right_down = right.down;
  }
  return place;
}

TimetablePlace InOrderTimetable::place(Rank rank) const {
  At at = root();
  Rank parent = tree_.nodes;  // the top, if there is one
  if (rank == tree_.nodes) {
    TimetablePlace top;
    if (at.node == InOrderTree::none) return top;
    top.left = rank_of(at.node);
    top.left_up = at.up;
    return top;
  }
  while (rank_of(at.node) != rank) {
    parent = rank_of(at.node);
    at = child(at, rank < parent);
  }
  return place_of(at, parent);
}

// Finds level by level the rounds in which edges of each colour are used, relative to the round of the subtree's root.
void InOrderTimetable::add_complete(Busy& busy, const At& at, Count blocks, Down down) const {
  using Rounds = std::bitset<256>;
  const std::size_t colours = two_ ? 2 : 3;
  std::array<Rounds, 3> ups;
  std::array<Rounds, 3> downs;
  ups[static_cast<std::size_t>(at.colour)][0] = downs[static_cast<std::size_t>(at.colour)][0] = true;
  for (int height = InOrderTree::height(at.node); height >= 0; --height) {
    std::array<Rounds, 3> next_ups;
    std::array<Rounds, 3> next_downs;
    for (std::size_t colour = 0; colour < colours; ++colour) {
      for (std::size_t round = 0; round < ups[colour].size(); ++round) {
        const auto distance = static_cast<Count>(round);
        // The subtree's result is combined at its parent, outside of the subtree.
        if (ups[colour][round] && height < InOrderTree::height(at.node)) {
          busy.passing.add(at.up - distance, blocks);
          busy.combining.add(at.up - distance, blocks);
        }
        if (!downs[colour][round]) continue;
        busy.passing.add(at.down + distance, blocks);
        if (down == Down::kept) continue;
        if (height > 0 || down == Down::combined_for_inclusive) busy.combining.add(at.down + distance, blocks);
        if (height > 0) busy.combining_twice.add(at.down + distance, blocks);
      }
      for (std::size_t below = 0; below < colours; ++below) {
        if (!two_ && below == colour) continue;
        const auto from = static_cast<int>(colour);
        const auto to = static_cast<int>(below);
        next_ups[below] |= ups[colour] << static_cast<std::size_t>(up_delay(from, to));
        next_downs[below] |= downs[colour] << static_cast<std::size_t>(down_delay(from, to));
      }
    }
    ups = next_ups;
    downs = next_downs;
  }
}

void InOrderTimetable::add_busy(Busy& busy, Count blocks, Down down) const {
  const auto add = [&](Count first, int combinations) {
    if (first == TimetablePlace::never) return;
    busy.passing.add(first, blocks);
    if (combinations > 0) busy.combining.add(first, blocks);
    if (combinations > 1) busy.combining_twice.add(first, blocks);
  };
  const auto add_node = [&](const TimetablePlace& place) {
    const int for_parent = place.up != TimetablePlace::never ? 1 : 0;
    const bool has_result = down == Down::combined_for_inclusive || place.right_down != TimetablePlace::never;
    const int result = has_result ? 1 : 0;
    add(place.left_up, for_parent + (place.down == TimetablePlace::never ? result : 0));
    add(place.right_up, 1);
    add(place.down, down == Down::kept ? 0 : (place.has_left() ? 1 : 0) + result);
  };
  if (has_top_) add_node(place(tree_.nodes));
  visit(
      root(), [&](const At& at) { add_node(place_of(at, 0)); },
      [&](const At& at) { add_complete(busy, at, blocks, down); });
}

}  // namespace cohort
