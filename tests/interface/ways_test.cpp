// SPDX-License-Identifier: Apache-2.0
// Each call is made in three ways, blocking, started and prepared, and gives the same in each.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using Numbers = std::vector<std::int64_t>;

class Ways : public ::testing::TestWithParam<Kind> {};

// Calls `with` for the group in each way; `over` makes a call complete, and gives its result.
template <class With>
void in_each_way(const Group& all, const With& with) {
  with(all, [](auto call) { return call(); });
  with(all.start(), [](auto call) { return call().wait(); });
  with(all.prepare(), [](auto call) {
    auto prepared = call();
    static_cast<void>(prepared.start().wait());
    return prepared.start().wait();
  });
}

TEST_P(Ways, OfOneValueGiveTheResult) {
  run_all({GetParam(), 5}, [](const Group& all) {
    const std::int64_t p = all.size(), me = all.rank(), square = me * me;
    const std::int64_t squares = (p - 1) * p * (2 * p - 1) / 6;
    Numbers everyones;
    for (std::int64_t rank = 0; rank < p; ++rank) everyones.push_back(rank * rank);
    const std::int64_t below = std::accumulate(everyones.begin(), everyones.begin() + me, std::int64_t{0});
    in_each_way(all, [&](const auto& way, const auto& result) {
      EXPECT_EQ(result([&] { return way.combine(square, sum); }), squares);
      EXPECT_EQ(result([&] { return way.combine(square, std::plus<>()); }), squares);
      EXPECT_EQ(result([&] { return way.reduce(square, sum, 2); }), me == 2 ? std::optional(squares) : std::nullopt);
      EXPECT_EQ(result([&] { return way.gather(square, 1); }), me == 1 ? everyones : Numbers());
      EXPECT_EQ(result([&] { return way.concat(square); }), everyones);
      EXPECT_EQ(result([&] { return way.scatter(everyones, 3); }), square);
      EXPECT_EQ(result([&] { return way.prefix(square, sum); }), below + square);
      EXPECT_EQ(result([&] { return way.exclusive_prefix(square, sum); }),
                me > 0 ? std::optional(below) : std::nullopt);
      EXPECT_EQ(result([&] { return way.shift(square, 2); }), everyones[static_cast<std::size_t>((me + p - 2) % p)]);
    });
  });
}

// Several reductions in one: an array has its size in its type.
TEST_P(Ways, OfOneArrayGiveAnArray) {
  run_all({GetParam(), 4}, [](const Group& all) {
    const std::array<int, 2> mine{all.rank(), 10 * all.rank()};
    in_each_way(all, [&](const auto& way, const auto& result) {
      EXPECT_EQ(result([&] { return way.combine(mine, sum); }), (std::array{6, 60}));
      EXPECT_EQ(result([&] { return way.reduce(mine, maximum, 1); }),
                all.rank() == 1 ? std::optional(std::array{3, 30}) : std::nullopt);
      EXPECT_EQ(result([&] { return way.prefix(mine, maximum); }), mine);
      EXPECT_EQ(result([&] { return way.exclusive_prefix(mine, maximum); }),
                all.rank() > 0 ? std::optional(std::array{all.rank() - 1, 10 * (all.rank() - 1)}) : std::nullopt);
      const int before = (all.rank() + 3) % 4;
      EXPECT_EQ(result([&] { return way.shift(mine, 1); }), (std::array{before, 10 * before}));
    });
    const auto [total, highest] = all.combine(std::array{all.rank() + 0.5, 2.0}, sum);
    EXPECT_EQ(total, 8);
    EXPECT_EQ(highest, 8);
  });
}

TEST_P(Ways, StartedCallsKeepTheirTemporaries) {
  run_all({GetParam(), 3}, [](const Group& all) {
    Future<int> first = all.start().combine(all.rank() + 1, sum);
    Future<int> second = all.start().combine(all.rank() + 2, maximum);
    EXPECT_EQ(second.wait(), 4);
    EXPECT_EQ(first.wait(), 6);
  });
}

// A prepared call reads the value at each start.
TEST_P(Ways, PreparedCallsReadTheirVariableAtEachStart) {
  run_all({GetParam(), 3}, [](const Group& all) {
    int value = 0;
    Repeated<int> total = all.prepare().combine(value, sum);
    for (int turn = 0; turn < 5; ++turn) {
      value = turn + all.rank();
      EXPECT_EQ(total.start().wait(), 3 * turn + 3);
    }
  });
}

TEST_P(Ways, ReplaceWhatIsInPlace) {
  run_all({GetParam(), 4}, [](const Group& all) {
    in_each_way(all, [&](const auto& way, const auto& over) {
      const int rank = all.rank();
      int value = rank + 1;
      over([&] { return way.combine(in_place(value), maximum); });
      EXPECT_EQ(value, 4);
      std::vector<int> blocks(8, -1);
      std::fill_n(blocks.begin() + 2 * rank, 2, rank);
      over([&] { return way.concat(in_place(blocks)); });
      EXPECT_EQ(blocks, (std::vector{0, 0, 1, 1, 2, 2, 3, 3}));
    });
  });
}

TEST_P(Ways, ExchangeWithNeighboursThatAreNot) {
  run_all({GetParam(), 4}, [](const Group& all) {
    const auto neighbour = [&](Rank rank) { return rank < 0 || rank >= 4 ? std::nullopt : std::optional(rank); };
    in_each_way(all, [&](const auto& way, const auto& over) {
      std::vector<int> out(3, all.rank()), from_below(3, -1), from_above(3, -1);
      over([&] { return way.exchange(out, neighbour(all.rank() + 1), from_below, neighbour(all.rank() - 1)); });
      over([&] { return way.exchange(out, neighbour(all.rank() - 1), from_above, neighbour(all.rank() + 1), Tag{7}); });
      EXPECT_EQ(from_below, std::vector(3, all.rank() - 1));
      EXPECT_EQ(from_above, std::vector(3, all.rank() == 3 ? -1 : all.rank() + 1));
    });
  });
}

// A column of a matrix at one end, a piece of memory at the other.
TEST_P(Ways, SendBlocksThatLieApart) {
  run_all({GetParam(), 2}, [](const Group& all) {
    constexpr Count rows = 500, columns = 7;
    in_each_way(all, [&](const auto& way, const auto& over) {
      std::vector<double> matrix(rows * columns), column(rows * 2, -1);
      std::iota(matrix.begin(), matrix.end(), 0.0);
      if (all.rank() == 0) {
        over([&] { return way.send(strided(&matrix[3], rows, 2, columns), 1, Tag{1}); });
        over([&] { return way.receive(strided(matrix.data(), rows, 2, columns), 1, Tag{2}); });
        for (std::size_t row = 0; row < rows; ++row) {
          ASSERT_EQ(matrix[row * columns + 1], static_cast<double>(row * columns + 4));
          ASSERT_EQ(matrix[row * columns + 2], static_cast<double>(row * columns + 2));
        }
      } else {
        over([&] { return way.receive(column, 0, Tag{1}); });
        over([&] { return way.send(column, 0, Tag{2}); });
        ASSERT_EQ(column[2], columns + 3.0);
      }
    });
  });
}

TEST_P(Ways, CountsMayHaveAnyIntegralType) {
  run_all({GetParam(), 3}, [](const Group& all) {
    const std::array<unsigned char, 3> counts{2, 0, 1};
    const std::vector<int> mine(counts[static_cast<std::size_t>(all.rank())], all.rank());
    std::vector<int> everyones(3, -1);
    all.concat(mine, everyones, counts);
    EXPECT_EQ(everyones, (std::vector{0, 0, 2}));
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Ways, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
