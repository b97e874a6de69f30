// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/binomial_blocks.hpp"

namespace cohort {
namespace {

// The end of the subtree at this position, which is a range that begins with it.
Rank end_of_subtree(Rank position, Rank ranks) {
  const std::int64_t size = position == 0 ? ranks : position & -position;
  return static_cast<Rank>(std::min<std::int64_t>(position + size, ranks));
}

}  // namespace

BinomialBlocks::BinomialBlocks(const Blocks& blocks, Rank root, Rank me, Buffer root_buffer, Buffer own_buffer,
                               Schedule& schedule)
    : order_{blocks.size(), root},
      blocks_(blocks, root),
      position_(order_.position_of(me)),
      end_(end_of_subtree(position_, order_.ranks)),
      own_{own_buffer, 0, blocks.count(me)},
      all_{root_buffer, 0, blocks.total()},
      passing_(schedule.add_scratch(is_root() ? 0 : blocks_.count(position_ + 1, end_))) {}

BinomialBlocks::Edge BinomialBlocks::edge(int level) const {
  const Rank distance = Rank{1} << level;
  if ((position_ & (distance - 1)) != 0) return {};
  if ((position_ & distance) != 0) {
    Segments blocks(own_);
    blocks.add(passing_);
    return {Edge::End::child, order_.rank_at(position_ - distance), blocks};
  }
  const std::int64_t child = std::int64_t{position_} + distance;
  if (child >= end_) return {};
  const auto first = static_cast<Rank>(child);
  const Rank last = std::min(end_of_subtree(first, order_.ranks), end_);
  const Segment passed{Buffer::scratch, passing_.offset + blocks_.count(position_ + 1, first),
                       blocks_.count(first, last)};
  return {Edge::End::parent, order_.rank_at(first), is_root() ? blocks_.run(all_, first, last) : Segments(passed)};
}

namespace costs {

namespace {

// With unequal blocks every subtree is different: O(p) steps.
class UnequalSubtrees {
 public:
  explicit UnequalSubtrees(const Problem& problem) : blocks_(problem.blocks, problem.root), ranks_(problem.ranks) {}

  Count total() const { return total_; }  // of all messages

  // The elements that pass one after the other until the subtree that begins at `position` has sent its blocks up. The
  // subtree has `positions` positions, or fewer at the end.
  Count longest_way(Rank position, std::int64_t positions) {
    if (positions == 1) return 0;
    const std::int64_t half = positions / 2;
    const Count own = longest_way(position, half);
    if (position + half >= ranks_) return own;
    const auto child = static_cast<Rank>(position + half);
    const Count sent = blocks_.count(child, static_cast<Rank>(std::min<std::int64_t>(child + half, ranks_)));
    total_ += sent;
    return std::max(own, longest_way(child, half)) + sent;
  }

 private:
  CyclicBlocks blocks_;
  Rank ranks_;
  Count total_ = 0;
};

Cost unequal_blocks(const Problem& problem) {
  const int levels = ceil_log2(problem.ranks);
  UnequalSubtrees subtrees(problem);
  const Count volume = subtrees.longest_way(0, std::int64_t{1} << levels);
  return {levels, volume, subtrees.total(), 0, problem.ranks - 1, 0, levels - floor_log2(problem.ranks)};
}

}  // namespace

Cost binomial_blocks(const Problem& problem) {
  const Count p = problem.ranks;
  const Count block = problem.blocks.largest();
  const Count total = problem.blocks.total();
  const bool evenly_split = p * block - total < p;
  if (!evenly_split) return unequal_blocks(problem);
  Cost cost{ceil_log2(problem.ranks), 0, 0, 0, p - 1};
  for (Count distance = 1; distance < p; distance *= 2) {
    // `below` counts the positions whose number has this binary digit: each is below an edge of this level. At most
    // `distance` positions are below one edge.
    const Count below = p / (2 * distance) * distance + std::max<Count>(p % (2 * distance) - distance, 0);
    cost.total += std::min(below * block, total);
    cost.volume += std::min(std::min(distance, p - distance) * block, total);
  }
  return cost;
}

Cost linear_blocks(const Problem& problem) {
  const Count others = problem.ranks - 1;
  const Count sent = problem.blocks.total() - problem.blocks.count(problem.root);
  return {others, sent, sent, 0, others, 0, std::max<Count>(others - 1, 0)};
}

}  // namespace costs
}  // namespace cohort
