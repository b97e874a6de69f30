// SPDX-License-Identifier: Apache-2.0
// Which faults happen, and when: decided by the seed alone, and by what the process does.
#include "runtime/faults/injection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/runtime/planned_faults.hpp"

namespace cohort::testing {
namespace {

Injection that_of(Pid me) {
  return {me, [](const PlannedFault&) {}, [](const InjectedFault&) {}};
}

// What becomes of 1,000 frames to each of two peers, a millisecond apart.
std::string trace(std::uint64_t seed, const std::vector<PlannedFault>& faults) {
  std::string text;
  Injection injection(
      0, [&](const PlannedFault& strike) { text += "strike " + std::to_string(strike.number); },
      [](const InjectedFault&) {});
  for (const PlannedFault& fault : faults) injection.add(fault, seed, Nanoseconds(0));
  for (int i = 0; i < 1000; ++i) {
    injection.called(Operation::combine, i * ms);
    for (const Pid to : {1, 2}) {
      const Injection::Fate fate = injection.send(to, 100, true, i * ms);
      text += std::to_string((fate.due - i * ms).count()) + (fate.reset ? "r" : "") +
              (fate.damage != Injection::Damage::none ? "c" + std::to_string(fate.bit % 800) : "") + " ";
    }
  }
  return text;
}

TEST(Injection, TheSameSeedDecidesTheSame) {
  const std::string first = trace(1, random_faults());
  EXPECT_EQ(trace(1, random_faults()), first);
  EXPECT_NE(trace(2, random_faults()), first);
  for (const char* part : {"strike 9", "r ", "c", " 10000000 "}) EXPECT_NE(first.find(part), std::string::npos) << part;
}

// Another fault beside it changes nothing of what it does.
TEST(Injection, EachFaultHasItsOwnRandomNumbers) {
  const std::vector<PlannedFault> all = random_faults();
  const std::string alone = trace(1, {all[1]});
  std::string damaged, also_damaged;
  for (const char c : alone) damaged += c == 'c' ? "c" : "";
  for (const char c : trace(1, {all[1], all[2]})) also_damaged += c == 'c' ? "c" : "";
  EXPECT_EQ(damaged, also_damaged);
  EXPECT_GT(damaged.size(), 5u);
}

// What is asked for later has a seed of its own.
TEST(Injection, EachFaultIsDrawnWithTheSeedOfItsPlan) {
  const auto bits = [](const std::vector<std::uint64_t>& seeds) {
    Injection injection = that_of(0);
    for (const std::uint64_t seed : seeds) injection.add(random_faults()[1], seed, Nanoseconds(0));
    std::set<std::uint64_t> bits;
    for (int i = 0; i < 1000; ++i) bits.insert(injection.send(2, 100, true, i * ms).bit);
    return bits;
  };
  EXPECT_TRUE(std::ranges::includes(bits({1, 2}), bits({2})));
  EXPECT_FALSE(std::ranges::includes(bits({1}), bits({2})));
}

TEST(Injection, TheRateIsTheShareOfFrames) {
  PlannedFault late = fault(FaultKind::delay, -1, -1);
  late.trigger = FaultTrigger::chance;
  late.rate = 0.25;
  late.amount = 1;
  Injection injection = that_of(0);
  injection.add(late, 1, Nanoseconds(0));
  int delayed = 0;
  for (int i = 0; i < 10'000; ++i) delayed += injection.send(1, 10, true, Nanoseconds(0)).due > Nanoseconds(0) ? 1 : 0;
  EXPECT_NEAR(delayed, 2'500, 200);
}

TEST(Injection, TriggersFireOnceAndWhenTheySay) {
  std::vector<std::uint32_t> struck;
  Injection injection(
      3, [&](const PlannedFault& fault) { struck.push_back(fault.number); }, [](const InjectedFault&) {});
  PlannedFault kill;
  kill.rank = 3;
  kill.trigger = FaultTrigger::call;
  kill.nth = 3;
  kill.operation = Operation::bcast;
  kill.number = 1;
  injection.add(kill, 1, Nanoseconds(0));
  kill.operation.reset();
  kill.number = 2;
  injection.add(kill, 1, Nanoseconds(0));
  kill.trigger = FaultTrigger::byte;
  kill.nth = 250;
  kill.number = 3;
  injection.add(kill, 1, Nanoseconds(0));
  kill.rank = 4;  // another's
  EXPECT_FALSE(Injection::concerns(kill, 3));
  const std::vector<Operation> calls = {Operation::bcast, Operation::combine, Operation::bcast, Operation::bcast,
                                        Operation::bcast};
  for (const Operation operation : calls) {
    injection.called(operation, Nanoseconds(0));
    injection.send(0, 100, true, Nanoseconds(0));
  }
  EXPECT_EQ(struck, (std::vector<std::uint32_t>{2, 3, 1}));
}

TEST(Injection, AFaultLastsForItsTime) {
  PlannedFault hole = fault(FaultKind::black_hole, 0, 1);
  hole.at_s = 0.1;
  hole.for_s = 0.2;
  Injection injection = that_of(0);
  injection.add(hole, 1, 1000 * ms);
  const auto due = [&](Pid to, int at) { return injection.send(to, 10, true, at * ms).due; };
  EXPECT_EQ(due(1, 1099), 1099 * ms);
  EXPECT_EQ(due(1, 1100), 1300 * ms);
  EXPECT_EQ(due(2, 1200), 1200 * ms);
  EXPECT_EQ(due(1, 1299), 1300 * ms);
  EXPECT_EQ(due(1, 1300), 1300 * ms);
  ASSERT_EQ(injection.happened().size(), 1u);
  EXPECT_EQ(injection.happened()[0].times, 2u);
  EXPECT_NEAR(injection.happened()[0].first_s, 0.1, 1e-6);
}

TEST(Injection, AResetThatTimeTriggersBreaksAllConnectionsAlsoWhereAFrameIsSentThen) {
  PlannedFault reset = fault(FaultKind::reset, 0, -1);
  reset.at_s = 0.1;
  Injection injection = that_of(0);
  injection.add(reset, 1, 0 * ms);
  EXPECT_EQ(injection.resets({false, true, true}, 99 * ms), std::vector<Pid>());
  EXPECT_FALSE(injection.send(1, 10, true, 100 * ms).reset);
  EXPECT_EQ(injection.resets({false, true, true}, 100 * ms), (std::vector<Pid>{1, 2}));
  EXPECT_EQ(injection.resets({false, true, true}, 101 * ms), std::vector<Pid>());
  EXPECT_FALSE(injection.send(1, 10, true, 102 * ms).reset);
}

TEST(PlannedFault, IsNeverDueWhereNoClockGetsThatFar) {
  EXPECT_EQ(PlannedFault::later(5000 * ms, 1.5), 6500 * ms);
  for (const double seconds : {1e10, 1e300}) EXPECT_EQ(PlannedFault::later(1 * ms, seconds), PlannedFault::never);
  EXPECT_EQ(PlannedFault::later(PlannedFault::never, 1), PlannedFault::never);
}

}  // namespace
}  // namespace cohort::testing
