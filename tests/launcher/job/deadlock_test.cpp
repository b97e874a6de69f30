// SPDX-License-Identifier: Apache-2.0
// Deadlocks in made-up answers: which waits can end, and when answers are of one moment.
#include "launcher/job/deadlock.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

namespace wire = process::v1;

// A process with one thread.
wire::Doing computing() {
  wire::Doing doing;
  doing.set_threads(1);
  return doing;
}

struct Part {
  Pid peer;
  bool standing = true;
};

// In a collective (number > 0) or a receive.
wire::Call call_of(std::uint64_t number, const std::vector<Part>& parts) {
  wire::Call call;
  call.set_number(number);
  for (const Part& part : parts) {
    wire::Awaited& awaited = *call.add_awaited();
    awaited.set_pid(part.peer);
    awaited.set_standing(part.standing);
  }
  return call;
}

// Until one of the calls has ended.
wire::Doing waiting(const std::vector<wire::Call>& calls) {
  wire::Doing doing = computing();
  wire::Wait& wait = *doing.add_waits();
  for (const wire::Call& call : calls) {
    wait.add_calls(static_cast<std::uint32_t>(doing.calls_size()));
    *doing.add_calls() = call;
  }
  return doing;
}

wire::Doing receiving(Pid from) { return waiting({call_of(0, {{from}})}); }

using Found = std::set<Pid>;

Found stuck(const Inquiry::Answers& answers) { return deadlocked(answers, {}); }

TEST(Deadlock, AChainThatEndsAtSomeoneWhoComputesIsNone) {
  EXPECT_EQ(stuck({receiving(1), receiving(2), computing()}), Found{});
  EXPECT_EQ(stuck({receiving(1), receiving(2), std::nullopt}), Found{});
}

TEST(Deadlock, ACycleIsOneForAllWhoWaitForIt) {
  EXPECT_EQ(stuck({receiving(1), receiving(0), computing(), receiving(0)}), (Found{0, 1, 3}));
  EXPECT_EQ(stuck({receiving(0)}), Found{0});
}

// Rank 1 may still give up what it has started, which ends the others' waits with an error.
TEST(Deadlock, ACircleThroughAnOperationInProgressIsClosedWhenItsProcessWaits) {
  const wire::Doing waits = waiting({call_of(7, {{2}})});
  wire::Doing computes = computing();
  *computes.add_calls() = waits.calls(0);
  EXPECT_EQ(stuck({waiting({call_of(7, {{1}})}), computes, receiving(0)}), Found{});
  EXPECT_EQ(stuck({waiting({call_of(7, {{1}})}), waits, receiving(0)}), (Found{0, 1, 2}));
}

TEST(Deadlock, WhoeverLeavesSendsNothingMore) {
  EXPECT_EQ(stuck({receiving(1), waiting({})}), (Found{0, 1}));
  EXPECT_EQ(stuck({waiting({}), waiting({})}), Found{});
}

TEST(Deadlock, AllMessagesOfACallButOneOfSeveralCalls) {
  const wire::Call from_1 = call_of(0, {{1}}), from_2 = call_of(0, {{2}});
  EXPECT_EQ(stuck({waiting({from_1, from_2}), receiving(0), computing()}), Found{});
  EXPECT_EQ(stuck({waiting({from_1, from_2}), receiving(0), receiving(0)}), (Found{0, 1, 2}));
  EXPECT_EQ(stuck({waiting({call_of(0, {{1}, {2}})}), receiving(0), computing()}), (Found{0, 1}));
}

TEST(Deadlock, AReceiveFromAnybodyWaitsForTheLastWhoCouldSend) {
  wire::Call from_anybody = call_of(0, {{0}, {1}, {2}});
  from_anybody.set_any(true);
  EXPECT_EQ(stuck({waiting({from_anybody}), receiving(0), computing()}), Found{});
  EXPECT_EQ(stuck({waiting({from_anybody}), receiving(0), waiting({})}), (Found{0, 1, 2}));
  from_anybody.set_partial(true);
  EXPECT_EQ(stuck({waiting({from_anybody}), receiving(0), receiving(0)}), Found{});
}

TEST(Deadlock, AMemberOfTheSameCollectiveSendsAsLongAsItGetsSomething) {
  const wire::Call from_1 = call_of(5, {{1}}), from_2 = call_of(5, {{2}});
  // 1 is in the call, and gets a message of 2, which computes
  EXPECT_EQ(stuck({waiting({from_1}), waiting({from_2}), computing()}), Found{});
  EXPECT_EQ(stuck({waiting({from_1}), waiting({call_of(5, {{0}, {2, false}})}), receiving(0)}), Found{});
  EXPECT_EQ(stuck({waiting({from_1}), waiting({call_of(6, {{0}})})}), (Found{0, 1}));
}

TEST(Deadlock, AThreadThatDoesNotWaitMayDoAnything) {
  wire::Doing two = receiving(0);
  two.set_threads(2);
  EXPECT_EQ(stuck({receiving(1), two}), Found{});
  *two.add_waits() = two.waits(0);
  EXPECT_EQ(stuck({receiving(1), two}), (Found{0, 1}));
}

TEST(Deadlock, WhoAsksForSurvivorsWaitsForAllWhoHaveNotAsked) {
  wire::Doing asking = computing();
  asking.add_waits()->set_what("survivors");
  Survivors survivors;
  survivors.asked(0, {}, {0, 1, 2});
  EXPECT_EQ(deadlocked({asking, computing(), computing()}, survivors), Found{});
  EXPECT_EQ(deadlocked({asking, computing(), receiving(0)}, survivors), (Found{0, 2}));
  EXPECT_EQ(deadlocked({asking, computing(), computing(), receiving(0)}, survivors), Found{});
  survivors.asked(1, {}, {0, 1, 2});
  EXPECT_EQ(deadlocked({asking, asking, receiving(0)}, survivors), (Found{0, 1, 2}));
  survivors.gone({2});
  EXPECT_EQ(deadlocked({asking, asking, receiving(0)}, survivors), Found{}) << "the answer is on its way";
}

TEST(Deadlock, AnswersAreOfOneMomentIfNothingHappenedBetweenThemAndNothingIsOnItsWay) {
  const auto with = [](std::uint64_t entries, Pid peer, std::uint64_t sent, std::uint64_t received) {
    wire::Doing doing = receiving(peer);
    doing.set_entries(entries);
    wire::Traffic& traffic = *doing.add_traffic();
    traffic.set_pid(peer);
    traffic.set_sent(sent);
    traffic.set_received(received);
    return doing;
  };
  const Inquiry::Answers rest{with(9, 1, 3, 4), with(8, 0, 4, 3)};
  EXPECT_TRUE(at_rest({0, 1}, rest, rest));
  EXPECT_FALSE(at_rest({0, 1}, rest, {with(10, 1, 3, 4), with(8, 0, 4, 3)})) << "a call between them";
  EXPECT_FALSE(at_rest({0, 1}, {with(9, 1, 3, 3), with(8, 0, 4, 3)}, rest)) << "a message came between them";
  const Inquiry::Answers sent{with(9, 1, 4, 4), with(8, 0, 4, 3)};
  EXPECT_FALSE(at_rest({0, 1}, sent, sent)) << "a message is on its way";
  EXPECT_FALSE(at_rest({0, 1}, {std::nullopt, rest[1]}, rest));
}

}  // namespace
}  // namespace cohort
