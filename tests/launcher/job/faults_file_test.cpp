// SPDX-License-Identifier: Apache-2.0
// The file of faults: what it says is what is planned, and a mistake is named with its file, line and key.
#include "launcher/job/faults_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "launcher/usage_error.hpp"

namespace cohort {
namespace {

GivenFaults parse(const std::string& text, Pid ranks = 8) { return parse_faults(text, "f", ranks, 5); }

std::string mistake_in(const std::string& text, Pid ranks = 8) {
  try {
    parse(text, ranks);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

PlannedFault one(const std::string& keys) {
  const GivenFaults given = parse("[[fault]]\n" + keys);
  EXPECT_EQ(given.plan.faults.size(), 1u) << keys;
  return given.plan.faults.at(0);
}

TEST(FaultsFile, EveryKind) {
  EXPECT_EQ(one("kind = 'kill'\nrank = 3").rank, 3);
  EXPECT_EQ(one("kind = 'stop'\nrank = 7\nfor_s = 2").for_s, 2);
  EXPECT_EQ(one("kind = 'slow'\nrank = 0\nshare = 0.25").amount, 0.25);
  EXPECT_EQ(one("kind = 'delay'\nfrom = 1\ndelay_s = 0.5").from, 1);
  EXPECT_EQ(one("kind = 'delay'\nfrom = 1\ndelay_s = 0.5").to, -1);
  EXPECT_EQ(one("kind = 'throttle'\nto = 2\nbytes_per_second = 1e6").amount, 1e6);
  EXPECT_EQ(one("kind = 'reset'\nfrom = 0\nto = 1").kind, FaultKind::reset);
  EXPECT_EQ(one("kind = 'black_hole'\nfor_s = 2").kind, FaultKind::black_hole);
  EXPECT_FALSE(one("kind = 'corrupt'").payload);
  EXPECT_TRUE(one("kind = 'corrupt'\npart = 'payload'").payload);
  EXPECT_EQ(one("kind = 'refuse'").kind, FaultKind::refuse);
}

TEST(FaultsFile, EveryTrigger) {
  const std::string kill = "kind = 'kill'\nrank = 1\n";
  EXPECT_EQ(one(kill).trigger, FaultTrigger::time);
  EXPECT_EQ(one(kill).at_s, 0);
  EXPECT_EQ(one(kill + "at_s = 1.5").at_s, 1.5);
  EXPECT_EQ(one(kill + "at_s = 0").trigger, FaultTrigger::time);
  const PlannedFault call = one(kill + "at_call = 4\noperation = 'combine'");
  EXPECT_EQ(call.trigger, FaultTrigger::call);
  EXPECT_EQ(call.nth, 4u);
  EXPECT_EQ(call.operation, Operation::combine);
  EXPECT_EQ(one(kill + "at_byte = 1_000_000").trigger, FaultTrigger::byte);
  EXPECT_EQ(one(kill + "rate = 0.5").rate, 0.5);
}

TEST(FaultsFile, BothWaysIsOneFaultInTwoDirections) {
  const GivenFaults given = parse("[[fault]]\nkind = 'reset'\nfrom = 2\nto = 5\nboth_ways = true\n");
  ASSERT_EQ(given.plan.faults.size(), 2u);
  EXPECT_EQ(given.plan.faults[1].from, 5);
  EXPECT_EQ(given.plan.faults[1].to, 2);
  EXPECT_EQ(given.plan.faults[1].number, given.plan.faults[0].number);
  EXPECT_EQ(given.descriptions.size(), 1u);
}

TEST(FaultsFile, RandomRanksFollowTheSeed) {
  const auto ranks = [](int seed) {
    const GivenFaults given = parse("seed = " + std::to_string(seed) +
                                    "\n[[fault]]\nkind = 'kill'\nrank = 'random'\n"
                                    "[[fault]]\nkind = 'reset'\nfrom = 3\nto = 'random'\n"
                                    "[[fault]]\nkind = 'reset'\nfrom = 'random'\nto = 'random'\n");
    EXPECT_TRUE(given.random);
    EXPECT_NE(given.plan.faults[1].to, 3);
    EXPECT_NE(given.plan.faults[2].to, given.plan.faults[2].from);
    return std::vector<Pid>{given.plan.faults[0].rank, given.plan.faults[1].to, given.plan.faults[2].from};
  };
  std::vector<std::vector<Pid>> seen;
  for (int seed = 0; seed < 200; ++seed) {
    seen.push_back(ranks(seed));
    EXPECT_EQ(ranks(seed), seen.back());
  }
  std::ranges::sort(seen);
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 50);
  EXPECT_FALSE(parse("[[fault]]\nkind = 'kill'\nrank = 1\n").random);
}

TEST(FaultsFile, WhereAndWhatInWords) {
  const GivenFaults given = parse("\n[[fault]]\nkind = 'delay'\nfrom = 0\ndelay_s = 0.05\nfor_s = 2\n");
  EXPECT_EQ(given.descriptions.at(0), "f:2: delay (0.05 s) from rank 0 to every rank for 2 s");
}

TEST(FaultsFile, MistakesAreNamed) {
  const std::string kill = "[[fault]]\nkind = 'kill'\nrank = 1\n";
  const std::string delay = "[[fault]]\nkind = 'delay'\n";
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"seed = -1", "f:1: seed: a whole number from 0"},
           {"\nfaults = 3", "f:2: faults: there are seed and [[fault]]"},
           {"fault = [3]", "f:1: fault: each is a [[fault]]"},
           {"[[fault]]",
            "f:1: a fault needs kind, in quotes: one of kill, stop, slow, delay, throttle, reset, black_hole, corrupt, "
            "refuse"},
           {"[[fault]]\nkind = 'crash'", "f:1: kind: there is no fault 'crash'; there are: kill, stop, slow"},
           {"[[fault]]\nkind = 'kill'", "f:1: a kill needs rank"},
           {"[[fault]]\nkind = 'kill'\nrank = 8", "f:3: rank: a rank of the job is needed, from 0 to 7, or \"random\""},
           {"[[fault]]\nkind = 'kill'\nrank = 'x'", "f:3: rank: a rank of the job"},
           {kill + "for_s = 3", "f:4: for_s: a kill has no such key; there are: kind, rank, at_s"},
           {kill + "at_s = -1", "f:4: at_s: a number over 0 is needed"},
           {kill + "at_s = 1\nrate = 0.5", "f:1: at_s, rate: one of them, please"},
           {kill + "at_call = 0", "f:4: at_call: a whole number from 1"},
           {kill + "at_byte = 1.5", "f:4: at_byte: a whole number from 1"},
           {kill + "rate = 2", "f:4: rate: a number over 0 is needed, at most 1"},
           {kill + "at_call = 1\noperation = 'combin'", "f:5: operation: there is no such operation; there are: bcast"},
           {kill + "operation = 'combine'", "f:1: operation: it goes with at_call"},
           {delay, "f:1: a delay needs delay_s"},
           {delay + "delay_s = 'x'", "f:3: delay_s: a number over 0"},
           {delay + "delay_s = 1\nfrom = 2\nto = 2", "f:1: from, to: a link is between two ranks"},
           {delay + "delay_s = 1\nboth_ways = 1", "f:4: both_ways: true or false"},
           {"[[fault]]\nkind = 'slow'\nrank = 1\nshare = 1.5", "f:4: share: a number over 0 is needed, at most 1"},
           {"[[fault]]\nkind = 'throttle'\nbytes_per_second = 1\nrate = 1",
            "f:1: rate: a throttle is no matter of chance"},
           {"[[fault]]\nkind = 'corrupt'\npart = 'tail'", "f:3: part: \"header\" or \"payload\""},
           {"[[fault]\n", "f:1: "},
           {"\ns\xc3\xa4mling = 1", "f:2: "},
           {"# gr\xc3\xbc\xc3\x9f\nseed = -1", "f:2: seed"}}) {
    EXPECT_TRUE(mistake_in(text).starts_with(says)) << text << "\n" << mistake_in(text);
  }
  EXPECT_EQ(mistake_in("[[fault]]\nkind = 'reset'", 1), "f:1: a reset is a fault of a link, and a job of one has none");
}

}  // namespace
}  // namespace cohort
