// SPDX-License-Identifier: Apache-2.0
#include "collectives/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "collectives/problem.hpp"
#include "collectives/registry.hpp"
#include "collectives/stable_list.hpp"
#include "tests/collectives/segments.hpp"

namespace cohort {
namespace {

std::vector<Segment> listed(const Segments& segments) { return {segments.begin(), segments.end()}; }

TEST(SmallVector, KeepsItsElementsWhenItShrinksAndGrowsAgain) {
  SmallVector<int, 2> numbers;
  std::vector<int> same;
  for (const int grow : {1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1}) {
    if (grow == 1) {
      same.push_back(static_cast<int>(10 + same.size()));
      numbers.push_back(same.back());
    } else {
      same.pop_back();
      numbers.pop_back();
    }
    EXPECT_TRUE(std::ranges::equal(numbers, same));
  }
}

TEST(SmallVector, KeepsItsElementsWhenItOutgrowsItself) {
  SmallVector<int, 2> numbers;
  for (int i = 0; i < 9; ++i) {
    numbers.push_back(i);
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(i + 1));
    for (int j = 0; j <= i; ++j) ASSERT_EQ(numbers[static_cast<std::size_t>(j)], j);
    ASSERT_EQ(numbers.back(), i);
  }
  const SmallVector<int, 2> copy = numbers;
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
  EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  numbers.push_back(7);
  EXPECT_EQ(numbers.size(), 1u);
  EXPECT_EQ(numbers[0], 7);
}

TEST(StableList, ItsElementsStayInOrderWhereTheyAre) {
  struct Element {
    std::shared_ptr<int> number;
  };
  const auto shared = std::make_shared<int>(0);
  std::vector<Element*> places;
  {
    StableList<Element, 3> list;
    for (long many = 1; many <= 7; ++many) {
      places.push_back(&list.emplace_back());
      EXPECT_EQ(places.back()->number, nullptr);
      places.back()->number = shared;
      EXPECT_EQ(shared.use_count(), many + 1);
      std::vector<const Element*> seen;
      std::as_const(list).for_each([&seen](const Element& element) { seen.push_back(&element); });
      EXPECT_TRUE(std::ranges::equal(seen, places));
    }
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Segments, DropsEmptyOnesAndJoinsNeighbours) {
  Segments segments;
  segments.add(output(3, 0));
  EXPECT_TRUE(segments.empty());
  segments.add(output(0, 2));
  segments.add(output(2, 3));
  segments.add(scratch(5, 1));
  segments.add(output(5, 1));
  segments.add(output(4, 1));
  EXPECT_EQ(listed(segments), (std::vector<Segment>{output(0, 5), scratch(5, 1), output(5, 1), output(4, 1)}));
  EXPECT_EQ(segments.count(), 8);
}

TEST(Segments, OverlapWhatAnyOfThemDoes) {
  // Gaps and pieces of changing length in two buffers, enough of them to be searched; in order, and with one moved.
  for (std::size_t pieces = 0; pieces <= 12; ++pieces) {
    std::vector<Segment> list;
    for (std::size_t i = 0; i < pieces; ++i) {
      const Count length = i == 5 ? 4 : 1 + static_cast<Count>(i % 3);  // the next may be its neighbour
      list.push_back(i < pieces / 2 ? output(static_cast<Count>(4 * i), length)
                                    : scratch(static_cast<Count>(4 * i), length));
    }
    for (std::size_t moved = 0; moved <= pieces; ++moved) {
      if (moved > 0) std::swap(list[0], list[moved - 1]);
      Segments segments;
      for (const Segment& piece : list) segments.add(piece);
      for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
        for (Count offset = 0; offset < 52; ++offset) {
          for (const Count length : {1, 2, 9}) {
            const Segment other{buffer, offset, length};
            const bool any = std::ranges::any_of(list, [&](const Segment& piece) { return overlap(piece, other); });
            ASSERT_EQ(overlap(segments, other), any)
                << pieces << " pieces, " << moved << " moved, " << to_string(other);
          }
        }
      }
    }
  }
}

TEST(Round, LeavesOutMessagesWithoutElementsButNotSignals) {
  Round round;
  round.send(1, output(0, 0));
  round.receive(1, Segments());
  round.copy(output(0, 0), scratch(0, 0));
  EXPECT_TRUE(round.empty());
  round.signal(1);
  round.await(2);
  ASSERT_EQ(round.sends().size(), 1u);
  EXPECT_TRUE(round.sends()[0].segments.empty());
  ASSERT_EQ(round.receives().size(), 1u);
  EXPECT_EQ(round.receives()[0].peer, 2);
}

// The peers that the rounds send to, one after the other; -1 for a fenced round.
std::vector<Rank> peers(const Schedule& schedule) {
  std::vector<Rank> peers;
  Round storage;
  for (std::size_t i = 0; i < schedule.rounds(); ++i) {
    const Round& round = schedule.round(i, storage);
    if (round.fenced()) peers.push_back(-1);
    for (const Message& message : round.sends()) peers.push_back(message.peer);
  }
  return peers;
}

Schedule counting(std::size_t rounds, Rank first) {
  Schedule schedule;
  schedule.add_rounds(rounds, [first](std::size_t index, Round& round) { round.signal(first + Rank(index)); });
  return schedule;
}

TEST(Schedule, MixesStoredAndLazyRounds) {
  Schedule schedule;
  schedule.add_round().signal(0);
  schedule.add_round().signal(1);
  schedule.add_rounds(3, [](std::size_t index, Round& round) { round.signal(10 + Rank(index)); });
  schedule.add_rounds(0, [](std::size_t, Round& round) { round.signal(99); });
  schedule.add_round().signal(2);
  EXPECT_EQ(peers(schedule), (std::vector<Rank>{0, 1, 10, 11, 12, 2}));
  EXPECT_EQ(peers(schedule), peers(schedule));  // rounds can be asked for again
  Round storage;
  EXPECT_EQ(schedule.round(3, storage).sends()[0].peer, 11);  // in any order
  EXPECT_EQ(schedule.round(0, storage).sends()[0].peer, 0);
}

TEST(Schedule, AppendsAnother) {
  Schedule schedule = counting(2, 0);
  schedule.append(Schedule());
  Schedule second = counting(2, 10);
  Round& fenced = second.add_round();
  fenced.fence();
  fenced.signal(20);
  schedule.append(std::move(second));
  schedule.add_round().signal(30);
  EXPECT_EQ(peers(schedule), (std::vector<Rank>{0, 1, 10, 11, -1, 20, 30}));
}

TEST(Schedule, AppendMovesScratchBehindItsOwn) {
  const auto user = [](Count count) {
    Schedule schedule;
    const Segment mine = schedule.add_scratch(count);
    schedule.add_round().copy(mine, output(0, count));
    schedule.add_rounds(1, [mine](std::size_t, Round& round) {
      round.send(1, mine);
      round.receive(1, output(0, mine.count));
      round.combine_left(mine, output(0, mine.count));
    });
    return schedule;
  };
  Schedule inner = user(2);
  inner.append(user(3));
  Schedule schedule = user(4);
  schedule.append(std::move(inner));
  const Segment later = schedule.add_scratch(1);
  schedule.add_round().copy(later, output(0, 1));

  EXPECT_EQ(schedule.scratch(), 10);
  EXPECT_EQ(later, scratch(9, 1));
  const std::vector<Segment> expected{scratch(0, 4), scratch(4, 2), scratch(6, 3)};
  Round storage;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(schedule.round(2 * i, storage).steps()[0].target, expected[i]);
    const Round& lazy = schedule.round(2 * i + 1, storage);
    EXPECT_EQ(*lazy.sends()[0].segments.begin(), expected[i]);
    EXPECT_EQ(*lazy.receives()[0].segments.begin(), output(0, expected[i].count));
    EXPECT_EQ(lazy.steps()[0].target, expected[i]);
    EXPECT_EQ(lazy.steps()[0].kind, Step::Kind::combine_left);
  }
  EXPECT_EQ(schedule.round(6, storage).steps()[0].target, later);
}

TEST(Schedule, RoundsThatAreKeptAreThoseThatWereMadeOnDemand) {
  Schedule inner = counting(2, 0);
  const Segment place = inner.add_scratch(3);
  inner.add_round().copy(place, output(0, 3));
  inner.add_round().fence();
  Schedule schedule;
  const Segment mine = schedule.add_scratch(4);
  schedule.add_rounds(2, [mine](std::size_t, Round& round) { round.send(1, mine); });
  schedule.append(std::move(inner));
  schedule.keep_in_progress(5);
  schedule.send_on_request();

  Schedule kept = schedule;
  kept.make_rounds();
  ASSERT_EQ(kept.rounds(), schedule.rounds());
  Round one, other;
  for (std::size_t i = 0; i < kept.rounds(); ++i) {
    const Round& made = schedule.round(i, one);
    const Round& stored = kept.round(i, other);
    EXPECT_EQ(stored.fenced(), made.fenced());
    ASSERT_EQ(stored.sends().size(), made.sends().size());
    for (std::size_t k = 0; k < made.sends().size(); ++k) {
      EXPECT_EQ(stored.sends()[k].peer, made.sends()[k].peer);
      EXPECT_EQ(listed(stored.sends()[k].segments), listed(made.sends()[k].segments));
    }
    ASSERT_EQ(stored.steps().size(), made.steps().size());
    for (std::size_t k = 0; k < made.steps().size(); ++k) EXPECT_EQ(stored.steps()[k].target, made.steps()[k].target);
  }
  EXPECT_EQ(kept.scratch(), schedule.scratch());
  EXPECT_EQ(kept.most_in_progress(), 5u);
  EXPECT_TRUE(kept.sends_on_request());
  kept.add_round().signal(7);
  EXPECT_EQ(kept.round(kept.rounds() - 1, one).sends()[0].peer, 7);
}

TEST(Blocks, LieSideBySide) {
  for (const Blocks& blocks : {Blocks(5, 3), Blocks(5, 0), Blocks(std::vector<Count>{3, 0, 4, 0, 1}),
                               Blocks::split(5, 13), Blocks::split(5, 3), Blocks::split(5, 10)}) {
    Count end = 0;
    Count largest = 0;
    bool any_empty = false;
    ASSERT_EQ(blocks.size(), 5);
    for (Rank rank = 0; rank < 5; ++rank) {
      EXPECT_EQ(blocks.offset(rank), end);
      EXPECT_GE(blocks.count(rank), 0);
      EXPECT_EQ(blocks.block(Buffer::input, rank), (Segment{Buffer::input, end, blocks.count(rank)}));
      end += blocks.count(rank);
      largest = std::max(largest, blocks.count(rank));
      any_empty = any_empty || blocks.count(rank) == 0;
    }
    EXPECT_EQ(blocks.total(), end);
    EXPECT_EQ(blocks.largest(), largest);
    EXPECT_EQ(blocks.any_empty(), any_empty);
    EXPECT_EQ(blocks.range(Buffer::output, 1, 4),
              (Segment{Buffer::output, blocks.offset(1), blocks.count(1) + blocks.count(2) + blocks.count(3)}));
  }
  EXPECT_TRUE(Blocks(5, 3).equal());
  EXPECT_FALSE(Blocks::split(5, 13).equal());
  for (const Count total : {0, 1, 4, 5, 6, 1000}) {
    const auto blocks = Blocks::split(7, total);
    EXPECT_EQ(blocks.total(), total);
    for (Rank part = 0; part < 7; ++part) EXPECT_LE(blocks.largest() - blocks.count(part), 1);
  }
}

TEST(Parameters, KeepTheLastValueOfAName) {
  Parameters parameters;
  EXPECT_EQ(parameters.get("blocks", 5), 5);
  parameters.set("blocks", 1);
  parameters.set("radix", 2);
  parameters.set("blocks", 3);
  EXPECT_EQ(parameters.get("blocks", 5), 3);
  EXPECT_EQ(parameters.list().size(), 2u);
}

// 12 ns a byte: blocks of 2 MiB take 25 ms, of 128 KiB 1.6.
TEST(TakeTurns, LongBlocksLeaveOnRequestOneAtATimeOthersThreeAtOnceShortOnesAsTheyCome) {
  for (const char* name : {"index/pairwise", "reduce_scatter/pairwise", "combine/pairwise"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    Problem problem;
    problem.operation = algorithm.operation;
    problem.ranks = 8;
    problem.network.beta = 12e-9;
    const auto schedule_of = [&](Count block_bytes) {
      problem.blocks = problem.receive_blocks = Blocks(problem.ranks, block_bytes);
      problem.count = problem.blocks.total();
      return algorithm.schedule(problem, 3);
    };
    const Schedule longest = schedule_of(2 << 20), middle = schedule_of(128 << 10), shortest = schedule_of(64 << 10);
    EXPECT_TRUE(longest.sends_on_request()) << name;
    EXPECT_EQ(longest.most_in_progress(), 1u) << name;
    EXPECT_FALSE(middle.sends_on_request()) << name;
    EXPECT_EQ(middle.most_in_progress(), 3u) << name;
    EXPECT_FALSE(shortest.sends_on_request()) << name;
    EXPECT_GT(shortest.most_in_progress(), 7u) << name;
  }
}

}  // namespace
}  // namespace cohort
