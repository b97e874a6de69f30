// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/merging_ranges.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace cohort {
namespace {

// The ranges that make up a larger range: equal ranges, or two ranges of which the first has one rank more.
struct Halves {
  Rank ranges;
  Rank first;   // ranks of the first range
  Rank second;  // ranks of each other range
  bool equal() const { return first == second; }
  Rank range_of(Rank index) const { return index < first ? 0 : 1 + (index - first) / second; }
  Rank first_of(Rank range) const { return range == 0 ? 0 : first + (range - 1) * second; }
  Rank size_of(Rank range) const { return range == 0 ? first : second; }
};

Halves halves_of(Rank size) {
  for (const Rank factor : {2, 3, 5}) {
    if (size % factor == 0) return {factor, size / factor, size / factor};
  }
  return {2, size / 2 + 1, size / 2};
}

// The round in which ranges merge into one of each size, for all sizes that occur.
class Rounds {
 public:
  explicit Rounds(Rank ranks) { depth_of(ranks); }
  std::size_t depth(Rank size) const { return depths_.at(size); }
  std::size_t merge(Rank size) const { return depths_.at(size) - 1; }

 private:
  std::size_t depth_of(Rank size) {
    if (const auto known = depths_.find(size); known != depths_.end()) return known->second;
    std::size_t depth = 0;
    if (size > 1) {
      const Halves halves = halves_of(size);
      depth = 1 + std::max(depth_of(halves.first), depth_of(halves.second));
    }
    return depths_[size] = depth;
  }

  std::map<Rank, std::size_t> depths_;
};

// part_of(): the part of its range that a rank has; index_of(): the rank that has a part. Ranks are counted from the
// first of the range.
Rank part_of(Rank size, Rank index) {
  if (size == 1) return 0;
  const Halves halves = halves_of(size);
  const Rank range = halves.range_of(index);
  return halves.ranges * part_of(halves.size_of(range), index - halves.first_of(range)) + range;
}

Rank index_of(Rank size, Rank part) {
  if (size == 1) return 0;
  const Halves halves = halves_of(size);
  const Rank range = part % halves.ranges;
  return halves.first_of(range) + index_of(halves.size_of(range), part / halves.ranges);
}

// The first block of a part of a range, in blocks of the whole vector. The same rounding for all sizes ensures that a
// part that lies within another part lies within it in whole blocks, too.
Rank begin_of(Rank part, Rank size, Rank ranks) { return static_cast<Rank>(std::int64_t{part} * ranks / size); }

MergingRanges::Range common(MergingRanges::Range a, MergingRanges::Range b) {
  const Rank first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.last, b.last))};
}

// A rank's exchanges when ranges merge into one of this size, in the order in which the rank sends. In this order no
// two ranks send to the same rank at once: first to the ranks on the right, the nearest first; then to those on the
// left, the nearest last. Ranks are counted from the first of the range.
std::vector<MergingRanges::Exchange> exchanges_of(Rank size, Rank index, Rank ranks) {
  const Halves halves = halves_of(size);
  const auto part = [&](Rank number, Rank of) -> MergingRanges::Range {
    return {begin_of(number, of, ranks), begin_of(number + 1, of, ranks)};
  };
  const Rank mine = halves.range_of(index);
  const Rank had = part_of(halves.size_of(mine), index - halves.first_of(mine));
  std::vector<MergingRanges::Exchange> exchanges;
  const auto add = [&](Rank range, Rank others) {
    const auto whole = part(had, halves.size_of(mine)), theirs = part(others, halves.size_of(range));
    exchanges.push_back({halves.first_of(range) + index_of(halves.size_of(range), others),
                         range < mine ? Side::left : Side::right,
                         common(whole, part(others * halves.ranges + range, size)),
                         common(theirs, part(had * halves.ranges + mine, size))});
  };
  if (halves.equal()) {
    for (Rank range = mine + 1; range < halves.ranges; ++range) add(range, had);
    for (Rank range = 0; range < mine; ++range) add(range, had);
  } else if (mine == 0) {
    // The second range's part j overlaps the parts j and j + 1 of the first.
    for (Rank others = std::max(had - 1, 0); others < std::min(had + 1, halves.second); ++others) add(1, others);
  } else {
    for (const Rank others : {had + 1, had}) add(0, others);
  }
  return exchanges;
}

}  // namespace

MergingRanges::MergingRanges(Rank ranks, Rank me) : part_(part_of(ranks, me)) {
  const Rounds rounds(ranks);
  rounds_ = rounds.depth(ranks);
  for (Rank first = 0, size = ranks; size > 1;) {
    const Halves halves = halves_of(size);
    merges_.push_back({rounds.merge(size), exchanges_of(size, me - first, ranks)});
    for (Exchange& exchange : merges_.back().exchanges) exchange.peer += first;
    const Rank mine = halves.range_of(me - first);
    first += halves.first_of(mine);
    size = halves.size_of(mine);
  }
  std::reverse(merges_.begin(), merges_.end());
}

Rank MergingRanges::rank_of_part(Rank ranks, Rank part) { return index_of(ranks, part); }

void MergingRanges::add_reduction(Schedule& schedule, const Blocks& blocks, const Segment& operand,
                                  const Segment& work) const {
  // A rank that runs ahead would send data that others need later, and delay the data that they need now.
  schedule.keep_in_progress(1);
  std::size_t made = 0;
  for (const Merge& merge : merges_) {
    while (made < merge.round) schedule.add_round(), ++made;
    Round& round = schedule.add_round();
    ++made;
    const Segment& standing = &merge == &merges_.front() ? operand : work;
    for (const Exchange& exchange : merge.exchanges) {
      round.send(exchange.peer, blocks.range(standing, exchange.given.first, exchange.given.last));
    }
    Rank summed = -1;  // the end of the blocks that already hold a sum
    const auto take = [&](const Exchange& exchange) {
      const auto [first, last] = exchange.kept;
      const Segment sum = blocks.range(work, first, last);
      const Segment before = last <= summed ? sum : blocks.range(standing, first, last);
      receive_and_combine(round, exchange.peer, exchange.side, before, sum,
                          before == sum ? schedule.add_scratch(sum.count) : Segment());
      summed = std::max(summed, last);
    };
    // On either side the nearest rank comes first.
    const auto& exchanges = merge.exchanges;
    const auto lefts = std::ranges::find(exchanges, Side::left, &Exchange::side);
    std::for_each(exchanges.begin(), lefts, take);
    std::for_each(exchanges.rbegin(), std::make_reverse_iterator(lefts), take);
  }
  while (made < rounds_) schedule.add_round(), ++made;
}

void MergingRanges::add_collect(Schedule& schedule, const Blocks& blocks, const Segment& vector) const {
  std::size_t left = rounds_;
  for (auto merge = merges_.rbegin(); merge != merges_.rend(); ++merge) {
    while (left > merge->round + 1) schedule.add_round(), --left;
    Round& round = schedule.add_round();
    --left;
    for (const Exchange& exchange : merge->exchanges) {
      round.send(exchange.peer, blocks.range(vector, exchange.kept.first, exchange.kept.last));
      round.receive(exchange.peer, blocks.range(vector, exchange.given.first, exchange.given.last));
    }
  }
  while (left > 0) schedule.add_round(), --left;
}

namespace costs {
namespace {

// The most that one rank does in a round, in blocks and messages.
struct Most {
  Rank moved = 0;
  Rank messages = 0;
  Rank combined = 0;
};

// Merges ranges of equal size. The rank with the longest part receives it from all others, and no rank sends more.
// Returns the messages of all ranks of the merged range.
Count merge_equal(Rank size, Rank ranks, Most& most) {
  const Rank others = halves_of(size).ranges - 1;
  const auto received = static_cast<Rank>(others * ((std::int64_t{ranks} + size - 1) / size));
  most.moved = std::max(most.moved, received);
  most.combined = std::max(most.combined, received);
  most.messages = std::max(most.messages, others);
  return Count{size} * others;
}

Count merge_unequal(Rank size, Rank ranks, Most& most) {
  Count messages = 0;
  for (Rank index = 0; index < size; ++index) {
    Rank sent = 0, received = 0, sends = 0, receives = 0;
    for (const MergingRanges::Exchange& exchange : exchanges_of(size, index, ranks)) {
      sent += exchange.given.size();
      received += exchange.kept.size();
      sends += exchange.given.size() > 0 ? 1 : 0;
      receives += exchange.kept.size() > 0 ? 1 : 0;
    }
    most.moved = std::max({most.moved, sent, received});
    most.combined = std::max(most.combined, received);
    most.messages = std::max({most.messages, sends, receives});
    messages += sends;
  }
  return messages;
}

Cost merging(const Blocks& blocks, bool combines) {
  const Rank ranks = blocks.size();
  const Rounds rounds(ranks);
  std::vector<Most> all_most(rounds.depth(ranks));
  Cost cost{.rounds = static_cast<Count>(all_most.size())};
  std::map<Rank, Count, std::greater<>> ranges{{ranks, 1}};  // the number of ranges of each size
  for (auto range = ranges.begin(); range != ranges.end() && range->first > 1; ++range) {
    const auto [size, times] = *range;
    const Halves halves = halves_of(size);
    const auto merge = halves.equal() ? merge_equal : merge_unequal;
    cost.messages += times * merge(size, ranks, all_most[rounds.merge(size)]);
    cost.total += times * (halves.ranges - 1) * blocks.total();
    ranges[halves.first] += times;
    ranges[halves.second] += times * (halves.ranges - 1);
  }
  const auto elements = [&blocks, largest = blocks.largest()](Rank moved) {
    return std::min(moved * largest, (moved / blocks.size() + 1) * blocks.total());
  };
  for (const Most& most : all_most) {
    cost.volume += elements(most.moved);
    cost.more_starts += most.messages - 1;
    if (combines) cost.combined += elements(most.combined);
  }
  return cost;
}

}  // namespace

Cost merging_reduction(const Blocks& blocks) { return merging(blocks, true); }

Cost merging_collect(const Blocks& blocks) { return merging(blocks, false); }

Rank displaced_by_merging(Rank ranks) {
  Rank displaced = 0;
  for (Rank rank = 0; rank < ranks; ++rank) displaced += part_of(ranks, rank) == rank ? 0 : 1;
  return displaced;
}

}  // namespace costs
}  // namespace cohort
