// SPDX-License-Identifier: Apache-2.0
// Data whose sizes only the sender knows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class AnySizes : public ::testing::TestWithParam<Kind> {};

// What `from` has for `to`: sizes from none to more than a message carries at once.
std::vector<int> parcel(Rank from, Rank to) {
  const auto size = static_cast<std::size_t>((from * 7 + to * 3) % 5 == 0 ? 0 : (from + 1) * (to + 2) * 900);
  return std::vector<int>(size, from * 100 + to);
}

template <class T>
std::vector<std::remove_const_t<T>> copy(std::span<T> part) {
  return {part.begin(), part.end()};
}

TEST_P(AnySizes, AReceiveHasTheSizeThatWasSent) {
  run_all({GetParam(), 2}, [](const Group& all) {
    const std::vector<std::string> texts{"", "a", std::string(100'000, 'x')};
    for (const std::string& text : texts) {
      if (all.rank() == 0) {
        all.send(text, 1, Tag{3});
        all.send(std::vector<double>(text.size(), 0.5), 1);
      } else {
        EXPECT_EQ(all.receive<std::string>(0, Tag{3}), text);
        EXPECT_EQ(all.receive<std::vector<double>>(0), std::vector<double>(text.size(), 0.5));
      }
    }
  });
}

TEST_P(AnySizes, AProbeLeavesTheMessageToAReceive) {
  run_all({GetParam(), 3}, [](const Group& all) {
    if (all.rank() == 2) {
      EXPECT_EQ(all.probe<int>(0, Tag{1}), 5);
      EXPECT_EQ(all.probe<int>(0, Tag{1}), 5);
      EXPECT_EQ(all.receive<std::vector<int>>(0, Tag{1}), std::vector<int>(5, 0));
      const Arrival arrival = all.probe_any<int>(Tag{2});
      EXPECT_EQ(arrival.source, 1);
      EXPECT_EQ(arrival.count, 6);
      const auto [source, data] = all.receive_any<std::vector<int>>(Tag{2});
      EXPECT_EQ(source, 1);
      EXPECT_EQ(data, std::vector<int>(6, 1));
    } else {
      all.send(std::vector<int>(static_cast<std::size_t>(5 + all.rank()), all.rank()), 2,
               all.rank() == 0 ? Tag{1} : Tag{2});
    }
  });
}

TEST_P(AnySizes, TryReceiveDoesNotWait) {
  if (GetParam() == Kind::simulated) return;  // in virtual time nothing passes for who never waits
  run_all({GetParam(), 2}, [](const Group& all) {
    if (all.rank() == 1) {
      EXPECT_EQ(all.try_receive<int>(0), std::nullopt);
      all.send(0, 0);
      std::optional<std::string> text;
      while (!text) text = all.try_receive<std::string>(0);
      EXPECT_EQ(text, "late");
      EXPECT_EQ(all.try_receive<std::string>(0), std::nullopt);
    } else {
      all.receive<int>(1);
      all.send(std::string("late"), 1);
    }
    all.sync();
  });
}

TEST_P(AnySizes, ElementsOfAnotherSizeAreAMismatch) {
  run_all({GetParam(), 2}, [](const Group& all) {
    if (all.rank() == 0) {
      all.send(std::string("five!"), 1);
    } else {
      expect_error(ErrorCode::mismatch, {"5 bytes", "elements of 4 bytes"}, [&] { all.receive<std::vector<int>>(0); });
    }
  });
}

// As if this process had memory for a few elements only.
template <class T>
struct LittleMemory : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = LittleMemory<Other>;
  };
  T* allocate(std::size_t count) {
    if (count > 1000) throw std::bad_alloc();
    return std::allocator<T>::allocate(count);
  }
};

TEST_P(AnySizes, AMessageForWhichThereIsNoMemoryIsDroppedAndItsSenderIsNamed) {
  run_all({GetParam(), 2}, [](const Group& all) {
    using Few = std::vector<int, LittleMemory<int>>;
    for (const std::size_t size : {1'001u, 1'000'000u}) {  // with the first frame, and pulled
      if (all.rank() == 0) {
        all.send(std::vector<int>(size, 1), 1);
        all.send(std::vector<int>(1000, 2), 1);
        continue;
      }
      const std::string bytes = std::to_string(size * sizeof(int)) + " bytes that rank 0 (pid 0";
      expect_error(ErrorCode::internal, {"receive on group (0,0): no memory for the " + bytes, "any_size_test.cpp"},
                   [&] { all.receive<Few>(0); });
      EXPECT_EQ(all.receive<Few>(0), Few(1000, 2));
    }
  });
}

TEST_P(AnySizes, PartsOfAllRanksComeTogether) {
  for (const int ranks : {1, 2, 5}) {
    run_all({GetParam(), ranks}, [](const Group& all) {
      for (Rank root = 0; root < all.size(); ++root) {
        const Parts<int> gathered = all.gather_all(parcel(all.rank(), root), root);
        ASSERT_EQ(gathered.size(), all.rank() == root ? all.size() : 0);
        for (Rank from = 0; from < gathered.size(); ++from) EXPECT_EQ(copy(gathered[from]), parcel(from, root));

        std::vector<std::vector<int>> parts;
        for (Rank to = 0; to < all.size() && all.rank() == root; ++to) parts.push_back(parcel(root, to));
        EXPECT_EQ(all.scatter_all(parts, root), parcel(root, all.rank()));
        EXPECT_EQ(all.scatter_all(all.gather_all(parcel(all.rank(), 9), root), root), parcel(all.rank(), 9));
      }
      Parts<int> everyones = all.concat_all(parcel(all.rank(), 1));
      for (Rank from = 0; from < all.size(); ++from) EXPECT_EQ(copy(everyones[from]), parcel(from, 1));
      Rank next = 0;
      for (const std::span<const int> part : std::as_const(everyones)) EXPECT_EQ(copy(part), parcel(next++, 1));
      EXPECT_EQ(next, all.size());
      for (const std::span<int> part : everyones) std::ranges::fill(part, 7);
      EXPECT_EQ(everyones.elements, std::vector<int>(everyones.elements.size(), 7));
    });
  }
}

TEST(Parts, AreARange) {
  static_assert(std::ranges::forward_range<Parts<int>> && std::ranges::forward_range<const Parts<int>>);
  static_assert(std::is_same_v<std::ranges::range_value_t<const Parts<int>>, std::span<const int>>);
  const Parts<int> none;
  EXPECT_EQ(none.begin(), none.end());
  const auto parts = Parts<int>::with_counts(std::vector<std::size_t>{2, 0, 3});
  std::vector<std::size_t> sizes;
  for (const auto part : parts) sizes.push_back(part.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 0, 3}));
}

TEST_P(AnySizes, ShuffledPartsSayWhereEachBegins) {
  run_all({GetParam(), 4}, [](const Group& all) {
    std::vector<std::vector<int>> parts;
    for (Rank to = 0; to < all.size(); ++to) parts.push_back(parcel(all.rank(), to));
    const Parts<int> came = all.shuffle(parts);
    ASSERT_EQ(came.size(), all.size());
    std::vector<int> in_order;
    for (Rank from = 0; from < all.size(); ++from) {
      EXPECT_EQ(came.begins[static_cast<std::size_t>(from)], static_cast<Count>(in_order.size()));
      EXPECT_EQ(copy(came[from]), parcel(from, all.rank()));
      in_order.insert(in_order.end(), came[from].begin(), came[from].end());
    }
    EXPECT_EQ(came.elements, in_order);
  });
}

// The program's own messages, with any tag, are not taken for parts.
TEST_P(AnySizes, ElementsMayBeArrays) {
  using Point = std::array<double, 3>;
  run_all({GetParam(), 4}, [](const Group& all) {
    const auto points_of = [](Rank rank) {
      return std::vector<Point>(static_cast<std::size_t>(rank + 1), Point{1.0 * rank, 2.0 * rank, 3.0 * rank});
    };
    const auto expect_all = [&](const Parts<Point>& parts) {
      ASSERT_EQ(parts.size(), all.size());
      for (Rank rank = 0; rank < all.size(); ++rank) EXPECT_EQ(copy(parts[rank]), points_of(rank));
    };
    const std::vector<Point> mine = points_of(all.rank());
    const Parts<Point> gathered = all.gather_all(mine, 1);
    if (all.rank() == 1) expect_all(gathered);
    EXPECT_EQ(all.scatter_all(gathered, 1), mine);
    expect_all(all.concat_all(mine));
    std::vector<std::vector<Point>> for_each(static_cast<std::size_t>(all.size()), mine);
    expect_all(all.shuffle(for_each));
  });
}

TEST_P(AnySizes, PartsAndMessagesDoNotMeet) {
  run_all({GetParam(), 2}, [](const Group& all) {
    if (all.rank() == 1) all.send(std::string("a message"), 0);
    EXPECT_EQ(all.gather_all(std::string(3, 'p'), 0).elements.size(), all.rank() == 0 ? 6U : 0U);
    if (all.rank() == 0) {
      EXPECT_EQ(all.receive<std::string>(1), "a message");
    }
  });
}

TEST_P(AnySizes, ARootThatHasTooFewPartsIsRefused) {
  run_all({GetParam(), 1}, [](const Group& all) {
    expect_error(ErrorCode::argument, {"scatter"}, [&] { all.scatter_all(std::vector<std::string>(2), 0); });
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, AnySizes, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
