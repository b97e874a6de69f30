// SPDX-License-Identifier: Apache-2.0
// wait_any() is fair, and does no more work than there are requests: counted, not timed.
#include "runtime/drive/ended_requests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <span>
#include <vector>

#include "tests/random/random.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using detail::EndedRequests;
using detail::RequestEnd;

// Ends that are held at the places of an array.
struct Ends {
  explicit Ends(std::size_t count) : places(count) {
    for (char& place : places) ends.emplace_back().held_at = &place;
  }
  std::size_t first_in(EndedRequests& all) const {
    const RequestEnd* end = all.first_in(places.data(), places.data() + places.size());
    return end == nullptr ? places.size()
                          : static_cast<std::size_t>(static_cast<const char*>(end->held_at.load()) - places.data());
  }
  std::vector<char> places;
  std::deque<RequestEnd> ends;
};

TEST(EndedRequests, AreFoundInTheOrderInWhichTheyEndedByAsManyLooks) {
  constexpr std::size_t count = 16'000;
  Random random(1);
  EndedRequests all;
  Ends wanted(count), others(count);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  for (const std::size_t place : order) {
    all.add(others.ends[place]);
    all.add(wanted.ends[place]);
  }
  for (const std::size_t place : order) {
    ASSERT_EQ(wanted.first_in(all), place);
    all.remove(wanted.ends[place]);
  }
  EXPECT_EQ(wanted.first_in(all), count);
  EXPECT_LE(all.looks(), 2 * count + 1);
  for (const std::size_t place : order) {  // those that were passed over are in their order still
    ASSERT_EQ(others.first_in(all), place);
    all.remove(others.ends[place]);
  }
  EXPECT_LE(all.looks(), 3 * count + 2);
}

// A program that starts one again as soon as it has ended, while many that it does not ask for have ended, too.
TEST(EndedRequests, ThatAreStartedAgainAndAgainAreFoundByAsManyLooks) {
  constexpr std::size_t count = 16'000;
  EndedRequests all;
  Ends wanted(2), others(count);
  for (RequestEnd& end : others.ends) all.add(end);
  all.add(wanted.ends[0]);
  all.add(wanted.ends[1]);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(wanted.first_in(all), i % 2);
    all.remove(wanted.ends[i % 2]);
    all.add(wanted.ends[i % 2]);
  }
  EXPECT_LE(all.looks(), 2 * count + 2);
}

TEST(EndedRequests, AreFoundWhereTheyHaveMovedTo) {
  EndedRequests all;
  Ends first(2), second(2);
  for (RequestEnd& end : first.ends) all.add(end);
  EXPECT_EQ(second.first_in(all), 2u);
  first.ends[1].held_at = &second.places[0];
  all.moved();
  EXPECT_EQ(second.first_in(all), 0u);
  EXPECT_EQ(first.first_in(all), 0u);
  all.remove(first.ends[0]);
  all.remove(first.ends[0]);  // it is not there any more
  EXPECT_EQ(first.first_in(all), 2u);
  EXPECT_EQ(second.first_in(all), 0u);
}

class WaitAny : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, WaitAny, ::testing::ValuesIn(every_kind),
                         [](const auto& kind) { return to_string(kind.param); });

// A flood of messages whose receive has the first place, and is started again at once, and one message of another.
TEST_P(WaitAny, LetsNobodyWaitBehindAFlood) {
  constexpr int flood = 500;
  for (const bool develop : {false, true}) {
    World world{GetParam(), 3};
    world.develop = develop;
    run_all(world, [](const Group& all) {
      if (all.rank() > 0) {
        const int messages = all.rank() == 1 ? flood : 1;
        for (int i = 0; i < messages; ++i) all.send(i, 0, Tag{1});
        all.send(0, 0, Tag{2});  // behind them
        return;
      }
      for (const Rank other : {1, 2}) EXPECT_EQ(all.receive<int>(other, Tag{2}), 0);
      std::vector<int> values(2);
      std::vector<Request> requests;
      for (const Rank other : {1, 2})
        requests.push_back(
            all.start().receive(std::span(&values[static_cast<std::size_t>(other) - 1], 1), other, Tag{1}));
      int before = 0;
      for (int received = 1; wait_any(requests) == 0 && received <= flood; ++received) {
        ++before;
        if (received < flood) requests[0] = all.start().receive(std::span(values).first(1), 1, Tag{1});
      }
      EXPECT_LE(before, 2);
      for (int i = before; i < flood; ++i) {
        requests[0].wait();
        if (i + 1 < flood) requests[0] = all.start().receive(std::span(values).first(1), 1, Tag{1});
      }
    });
  }
}

// Requests that fail are found like those that succeed, and those that move while they are in progress.
TEST_P(WaitAny, FindsAllThatEndInWhateverWay) {
  static constexpr std::size_t count = 200;
  run_all({GetParam(), 2}, [](const Group& all) {
    Random random(3);  // the same at both
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    if (all.rank() == 1) {
      all.sync();
      for (const std::size_t which : order) {
        const std::vector<int> data(which % 7 == 0 ? 2 : 1);  // longer than its receive
        all.send(data, 0, static_cast<Tag>(which));
      }
      return;
    }
    std::vector<int> values(count);
    std::vector<Request> requests;
    for (std::size_t which = 0; which < count; ++which)
      requests.push_back(all.start().receive(std::span(&values[which], 1), 1, static_cast<Tag>(which)));
    all.sync();
    std::vector<bool> seen(count);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 50 == 10) {  // elsewhere
        std::vector<Request> moved;
        for (Request& request : requests) moved.push_back(std::move(request));
        requests = std::move(moved);
      }
      try {
        const std::size_t place = wait_any(requests);
        ASSERT_LT(place, count);
        EXPECT_FALSE(seen[place]);
        seen[place] = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::truncated);
        ++failed;
      }
    }
    EXPECT_EQ(wait_any(requests), count);
    EXPECT_EQ(failed, (count + 6) / 7);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(seen, true)), count - failed);
  });
}

}  // namespace
}  // namespace cohort::testing
