// SPDX-License-Identifier: Apache-2.0
// Receives that name no source: each message is taken once, in the order of each sender, by whoever asked first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class ReceiveAny : public ::testing::TestWithParam<Kind> {};

TEST_P(ReceiveAny, TakesEachMessageOnceAndOfEachSenderInOrder) {
  run_all({GetParam(), 5}, [](const Group& all) {
    constexpr int many = 100;
    if (all.rank() != 0) {
      for (int i = 0; i < many; ++i) all.send(std::vector<int>(static_cast<std::size_t>(i % 40 * 100), i), 0, Tag{3});
    } else {
      std::array<int, 5> next{};
      for (int i = 0; i < 4 * many; ++i) {
        std::vector<int> data(4000, -1);
        const auto [source, count] = all.receive_any(data, Tag{3});
        ASSERT_EQ(count, next[static_cast<std::size_t>(source)] % 40 * 100);
        const std::vector<int> wanted(static_cast<std::size_t>(count), next[static_cast<std::size_t>(source)]);
        data.resize(wanted.size());
        ASSERT_EQ(data, wanted);
        ++next[static_cast<std::size_t>(source)];
      }
      EXPECT_EQ(next, (std::array<int, 5>{0, many, many, many, many}));
    }
    all.sync();
  });
}

TEST_P(ReceiveAny, TheReceiveThatWasFirstGetsTheMessage) {
  run_all({GetParam(), 2}, [](const Group& all) {
    if (all.rank() == 1) {
      all.receive<int>(0);
      for (const int value : {10, 11, 12}) all.send(value, 0, Tag{5});
      return all.sync();
    }
    int named = 0, any = 0, last = 0;
    Request first = all.start().receive(std::span(&named, 1), 1, Tag{5}),
            second = all.start().receive_any(std::span(&any, 1), Tag{5}),
            third = all.start().receive(std::span(&last, 1), 1, Tag{5});
    all.send(0, 1);
    third.wait();
    first.wait();
    second.wait();
    EXPECT_EQ((std::array{named, any, last}), (std::array{10, 11, 12}));
    EXPECT_EQ(second.source(), 1);
    EXPECT_EQ(second.received(), 1);
    all.send(7, 0, Tag{6});  // one's own messages count too
    EXPECT_EQ(all.receive_any(any, Tag{6}).source, 0);
    EXPECT_EQ(any, 7);
    all.send(8, 0, Tag{6});
    const auto [source, value] = all.receive_any<int>(Tag{6});
    EXPECT_EQ(source, 0);
    EXPECT_EQ(value, 8);
    all.sync();
  });
}

TEST_P(ReceiveAny, MessagesOfOtherTagsGroupsAndOfCollectivesAreNotTaken) {
  run_all({GetParam(), 3}, [](const Group& all) {
    const Group row = all.partition(0);
    int got = 0;
    if (all.rank() == 0) {
      Request any = row.start().receive_any(std::span(&got, 1), Tag{1});
      all.sync();
      row.sync();
      EXPECT_FALSE(any.test());
      row.send(1, 1, Tag{9});
      any.wait();
      EXPECT_EQ(got, 42);
      EXPECT_EQ(any.source(), 1);
      EXPECT_EQ(row.receive<int>(1, Tag{2}) + all.receive<int>(2, Tag{1}), 3);
    } else {
      if (all.rank() == 1) row.send(1, 0, Tag{2});
      if (all.rank() == 2) all.send(2, 0, Tag{1});
      all.sync();
      row.sync();
      if (all.rank() == 1) row.send(row.receive<int>(0, Tag{9}) + 41, 0, Tag{1});
    }
    all.sync();
  });
}

TEST_P(ReceiveAny, EndsWhenAMemberDies) {
  EXPECT_THROW(run_all({GetParam(), 3},
                       [](const Group& all) {
                         if (all.rank() == 2) throw Error(ErrorCode::internal, "planned");
                         int value = 0;
                         try {
                           all.receive_any(value);
                           ADD_FAILURE() << "no error";
                         } catch (const Error& error) {
                           EXPECT_EQ(error.code(), ErrorCode::peer_lost) << error.what();
                         }
                       }),
               Error);
}

// CCL, section 3: a sends to c, then all call bcast with the root b, then b sends to c; c receives twice, from anybody,
// before and after the bcast. In barrier mode c receives from a first.
std::array<Rank, 2> sources_in_the_papers_example(Kind kind, bool barrier) {
  enum : Rank { a, b, c };
  std::array<Rank, 2> sources{};
  run_all({kind, 3, barrier}, [&](const Group& g) {
    int value = g.rank();
    if (g.rank() == a && !barrier) g.receive<int>(c, Tag{1});  // a is slow: it sends when c has received
    if (g.rank() == a) g.send(value, c);
    if (g.rank() == c) sources[0] = g.receive_any(value).source;
    if (g.rank() == c && !barrier) g.send(0, a, Tag{1});
    g.by("linear").bcast(value, b);
    if (g.rank() == b) g.send(value, c);
    if (g.rank() == c) sources[1] = g.receive_any(value).source;
  });
  return sources;
}

TEST_P(ReceiveAny, InBarrierModeThePapersExampleHasOneOutcome) {
  EXPECT_EQ(sources_in_the_papers_example(GetParam(), true), (std::array<Rank, 2>{0, 1}));
}

// Without a barrier b may be through the bcast before c has entered it: and here it is, or c would wait forever.
TEST_P(ReceiveAny, InNonBarrierModeTheMessagesComeInTheOtherOrderToo) {
  EXPECT_EQ(sources_in_the_papers_example(GetParam(), false), (std::array<Rank, 2>{1, 0}));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ReceiveAny, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
