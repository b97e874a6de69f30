// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/recursive_split.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "collectives/peers.hpp"

namespace cohort {

SplitRule SplitRule::by_blocks(const Problem& problem) {
  SplitRule rule;
  rule.blocks_ = &problem.blocks;
  // The elements that are sent during one start-up. If an element costs no time, halves are the best.
  static constexpr Count most = Count{1} << 62;
  const double per_element = problem.network.beta * static_cast<double>(std::max<Count>(problem.element_bytes, 1));
  const bool is_limited = problem.network.alpha < per_element * static_cast<double>(most);
  rule.tolerated_ = is_limited ? static_cast<Count>(problem.network.alpha / per_element) : most;
  return rule;
}

Count SplitRule::lead(Rank first, Rank last, Rank root, Rank split) const {
  const auto between = [this](Rank from, Rank to) { return blocks_->offset(to) - blocks_->offset(from); };
  const Count own = blocks_->count(root);
  return root < split ? between(first, split) - own - between(split + 1, last)
                      : between(split, last) - own - between(first, split - 1);
}

Rank SplitRule::split(Rank first, Rank last, Rank root) const {
  const Rank middle = first + (last - first + 1) / 2;
  if (blocks_ == nullptr || std::abs(lead(first, last, root, middle)) <= tolerated_) return middle;

  // The root's lead grows with the distance of the split from the root. So on each side of the root, the nearest split
  // with a lead is the best. The farthest split always has a lead: there the other side's root has no block to send.
  const auto nearest = [&](Rank farthest, Rank closest) {
    while (farthest != closest) {
      const Rank tried = closest + (farthest - closest) / 2;
      if (lead(first, last, root, tried) >= 0) {
        farthest = tried;
      } else {
        closest = tried + (farthest > tried ? 1 : -1);
      }
    }
    return farthest;
  };
  if (root == first) return nearest(last - 1, root + 1);
  const Rank on_left = nearest(first + 1, root);
  if (root == last - 1) return on_left;
  const Rank on_right = nearest(last - 1, root + 1);
  const auto distance = [&](Rank split) { return std::pair(lead(first, last, root, split), std::abs(split - middle)); };
  return distance(on_left) < distance(on_right) ? on_left : on_right;
}

namespace {

// The two sides of a split range, the root's first: their ranks and roots.
struct SplitSide {
  Rank first;
  Rank last;
  Rank root;
};

std::pair<SplitSide, SplitSide> sides(Rank first, Rank last, Rank root, Rank split) {
  const SplitSide left{first, split, root < split ? root : split - 1};
  const SplitSide right{split, last, root < split ? split : root};
  // The new root is the rank of the other side that is closest to the old root.
  return root < split ? std::pair(left, right) : std::pair(right, left);
}

}  // namespace

int SplitRule::levels(Rank first, Rank last, Rank root) const {
  // Equal blocks are split in the middle, or where the left side has one rank less.
  if (blocks_ == nullptr || blocks_->equal()) return ceil_log2(last - first);
  if (last - first == 1) return 0;
  const auto [mine, other] = sides(first, last, root, split(first, last, root));
  return 1 + std::max(levels(mine.first, mine.last, mine.root), levels(other.first, other.last, other.root));
}

SplitTree::SplitTree(Rank ranks, Rank root, Rank me, const SplitRule& rule)
    : levels(rule.levels(0, ranks, root)), is_root(me == root) {
  Rank first = 0;
  Rank last = ranks;
  for (int level = 0; last - first > 1; ++level) {
    const auto [mine, other] = sides(first, last, root, rule.split(first, last, root));
    const SplitEdge edge{level, root, other.root, other.first, other.last};
    if (edge.child == me) up = edge;
    if (edge.parent == me) down.push_back(edge);
    const bool me_in_child = edge.first <= me && me < edge.last;
    std::tie(first, last, root) =
        me_in_child ? std::tie(other.first, other.last, other.root) : std::tie(mine.first, mine.last, mine.root);
  }
}

SubtreeBlocks::SubtreeBlocks(const SplitTree& tree, const Blocks& blocks, Rank me, Buffer root_buffer,
                             Buffer own_buffer, Schedule& schedule)
    : tree_(tree),
      blocks_(blocks),
      me_(me),
      buffer_(tree.is_root ? root_buffer : Buffer::scratch),
      own_{own_buffer, 0, blocks.count(me)} {
  const bool passes_on = !tree.is_root && !tree.down.empty();
  passing_ = schedule.add_scratch(passes_on ? blocks.range(Buffer::scratch, tree.up.first, tree.up.last).count : 0);
}

Segments SubtreeBlocks::of_all() const {
  Segments all;
  all.add(place(tree_.up.first, me_));
  all.add(own_);
  all.add(place(me_ + 1, tree_.up.last));
  return all;
}

Segment SubtreeBlocks::place(Rank first, Rank last) const {
  Segment range = blocks_.range(buffer_, first, last);
  if (!tree_.is_root) range.offset += passing_.offset - blocks_.offset(tree_.up.first);
  return range;
}

Schedule scatter_down(const SplitTree& tree, const Problem& problem, Rank me) {
  Schedule schedule;
  const SubtreeBlocks blocks(tree, problem.blocks, me, Buffer::input, Buffer::output, schedule);
  std::size_t child = 0;
  for (int level = 0; level < std::max(tree.levels, 1); ++level) {
    Round& round = schedule.add_round();
    if (!tree.is_root && tree.up.level == level) round.receive(tree.up.parent, blocks.of_all());
    if (child < tree.down.size() && tree.down[child].level == level) {
      const SplitEdge& edge = tree.down[child++];
      round.send(edge.child, blocks.of_child(edge));
    }
    if (tree.is_root && level == 0) round.copy(blocks.own(), blocks.own_at_root());
  }
  return schedule;
}

Schedule gather_up(const SplitTree& tree, const Problem& problem, Rank me) {
  Schedule schedule;
  const SubtreeBlocks blocks(tree, problem.blocks, me, Buffer::output, Buffer::input, schedule);
  std::size_t child = tree.down.size();
  for (int level = std::max(tree.levels, 1) - 1; level >= 0; --level) {
    Round& round = schedule.add_round();
    if (child > 0 && tree.down[child - 1].level == level) {
      const SplitEdge& edge = tree.down[--child];
      round.receive(edge.child, blocks.of_child(edge));
    }
    if (!tree.is_root && tree.up.level == level) round.send(tree.up.parent, blocks.of_all());
    if (tree.is_root && level == 0) round.copy(blocks.own_at_root(), blocks.own());
  }
  return schedule;
}

namespace costs {
namespace {

// With equal blocks only a range's size and the root's place in it matter; each level has few of these.
Cost split(const Problem& problem, const SplitRule& rule) {
  using Range = std::pair<Rank, Rank>;  // the size, and the root's place
  const Count block = problem.blocks.largest();
  Cost cost{.messages = problem.ranks - 1};
  std::map<Range, Count> ranges{{{problem.ranks, problem.root}, 1}};
  while (true) {
    std::map<Range, Count> next;
    Count most = 0;
    for (const auto& [range, times] : ranges) {
      const auto [size, root] = range;
      if (size == 1) continue;
      const auto [mine, other] = sides(0, size, root, rule.split(0, size, root));
      for (const SplitSide& side : {mine, other}) next[{side.last - side.first, side.root - side.first}] += times;
      const Count sent = (other.last - other.first) * block;
      most = std::max(most, sent);
      cost.total += times * sent;
    }
    if (next.empty()) return cost;
    ++cost.rounds;
    cost.volume += most;
    ranges = std::move(next);
  }
}

// With unequal blocks every range is different: O(p log p) steps. The volume is that of the longest path.
Cost split_unequal(const Problem& problem, const SplitRule& rule, const SplitSide& range) {
  const auto [first, last, root] = range;
  if (last - first == 1) return {};
  const auto [mine, other] = sides(first, last, root, rule.split(first, last, root));
  const Cost own = split_unequal(problem, rule, mine), others = split_unequal(problem, rule, other);
  const Count sent = problem.blocks.offset(other.last) - problem.blocks.offset(other.first);
  const Count rounds = 1 + std::max(own.rounds, others.rounds);
  const Count depth = std::max(own.rounds - own.overlapped, 1 + others.rounds - others.overlapped);
  return {.rounds = rounds,
          .volume = sent + std::max(own.volume, others.volume),
          .total = sent + own.total + others.total,
          .messages = 1 + own.messages + others.messages,
          .overlapped = rounds - depth};
}

Cost cost_of(const Problem& problem, const SplitRule& rule) {
  return problem.blocks.equal() ? split(problem, rule) : split_unequal(problem, rule, {0, problem.ranks, problem.root});
}

}  // namespace

Cost recursive_split(const Problem& problem) { return cost_of(problem, {}); }
Cost weighted_split(const Problem& problem) { return cost_of(problem, SplitRule::by_blocks(problem)); }

}  // namespace costs
}  // namespace cohort
