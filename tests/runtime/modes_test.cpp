// SPDX-License-Identifier: Apache-2.0
// Barrier mode: nobody leaves a collective before all have entered it. Non-barrier mode: who has done his part leaves.
#include <gtest/gtest.h>

#include <atomic>
#include <tuple>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

constexpr Rank members = 5;

struct Collective {
  const char* name;
  void (*call)(const Group&);
  bool implies_a_barrier;
  // In non-barrier mode: whoever does not need this one leaves before he enters.
  Rank late = 0;
  std::vector<Rank> early = {};
};

using Ints = std::vector<int>;
Ints one() { return Ints(1); }
Ints one_for_each() { return Ints(members); }

const Collective collectives[] = {
    {"bcast", [](const Group& g) { g.by("linear").bcast(one(), 0); }, false, 4, {0, 1, 2, 3}},
    {"reduce", [](const Group& g) { g.by("linear").reduce(one(), one(), sum, 2); }, false, 2, {0, 1, 3, 4}},
    {"scatter", [](const Group& g) { g.by("linear").scatter(one_for_each(), one(), 1); }, false, 0, {1, 2, 3, 4}},
    {"gather", [](const Group& g) { g.by("linear").gather(one(), one_for_each(), 0); }, false, 3, {1, 2, 4}},
    {"prefix", [](const Group& g) { g.by("chain").prefix(one(), one(), sum); }, false, 4, {0, 1, 2, 3}},
    {"exclusive_prefix",
     [](const Group& g) { g.by("chain").exclusive_prefix(one(), one(), sum); },
     false,
     3,
     {0, 1, 2}},
    {"shift", [](const Group& g) { g.shift(1, 1); }, false, 2, {0, 1, 4}},
    {"combine", [](const Group& g) { g.combine(one(), one(), sum); }, true},
    {"concat", [](const Group& g) { g.concat(one(), one_for_each()); }, true},
    {"index", [](const Group& g) { g.index(one_for_each(), one_for_each()); }, true},
    {"reduce_scatter", [](const Group& g) { g.reduce_scatter(one_for_each(), one(), sum); }, true},
    {"sync", [](const Group& g) { g.sync(); }, true},
    {"partition", [](const Group& g) { static_cast<void>(g.partition(g.rank())); }, true},
};

class Modes : public ::testing::TestWithParam<std::tuple<Collective, Kind>> {};

// One more process keeps the late member busy, for much longer than the collective takes.
void nobody_leaves_early(const Collective& collective, Kind kind, bool barrier, bool develop) {
  for (Rank late = 0; late < members; ++late) {
    std::atomic<int> entered = 0;
    World world{kind, members + 1, barrier};
    world.develop = develop;
    run_all(world, [&](const Group& all) {
      if (all.rank() == late || all.rank() == members) {
        const Rank peer = all.rank() == late ? members : late;
        int token = 0;
        for (int i = 0; i < 100; ++i) all.exchange(std::span(&i, 1), peer, std::span(&token, 1), peer);
      }
      if (all.rank() == members) return;
      const Group group = all.subrange(0, 1, members);
      ++entered;
      collective.call(group);
      EXPECT_EQ(entered, members) << "rank " << group.rank() << " has left, and rank " << late << " was late";
    });
  }
}

TEST_P(Modes, InBarrierModeNobodyLeavesBeforeAllHaveEntered) {
  nobody_leaves_early(std::get<0>(GetParam()), std::get<1>(GetParam()), true, false);
}

TEST_P(Modes, InDevelopModeNeither) {
  nobody_leaves_early(std::get<0>(GetParam()), std::get<1>(GetParam()), false, true);
}

// The late member enters when the others say that they have left.
TEST_P(Modes, InNonBarrierModeWhoHasDoneHisPartLeaves) {
  const auto& [collective, kind] = GetParam();
  if (collective.implies_a_barrier) return nobody_leaves_early(collective, kind, false, false);
  run_all({kind, members, false}, [&, &collective = collective](const Group& all) {
    const Group group = all.subrange(0, 1, members);
    int token = 0;
    if (all.rank() == collective.late) {
      for (const Rank early : collective.early) all.receive(std::span(&token, 1), early);
    }
    collective.call(group);
    if (std::ranges::count(collective.early, all.rank()) > 0) all.send(token, collective.late);
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Modes,
                         ::testing::Combine(::testing::ValuesIn(collectives), ::testing::ValuesIn(every_kind)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + to_string(std::get<1>(info.param));
                         });

// Run mode: two members whose calls differ never hang and never get wrong data where one has sent the other a message;
// at the latest when they leave, one of them says who called what.
class Pairs : public ::testing::TestWithParam<std::tuple<Collective, Collective, Kind, bool>> {};

// Whether neither sends anything before something has come: rank 0 in the first one, rank 1 in the second one.
bool both_wait(const std::string& first, const std::string& second, bool barrier) {
  const bool fans_out = first == "bcast" || first == "scatter", fans_in = first == "reduce" || first == "gather";
  const bool scans = second == "prefix" || second == "exclusive_prefix";
  const bool is_reached = second == "bcast" || second == "scatter";
  return (fans_in || (fans_out && barrier)) && (scans || (is_reached && !barrier));
}

const Collective calls_of_two[] = {
    {"bcast", [](const Group& g) { g.bcast(one(), 0); }, false},
    {"reduce", [](const Group& g) { g.reduce(one(), one(), sum, 0); }, false},
    {"scatter", [](const Group& g) { g.scatter(Ints(2), one(), 0); }, false},
    {"gather", [](const Group& g) { g.gather(one(), Ints(2), 0); }, false},
    {"prefix", [](const Group& g) { g.prefix(one(), one(), sum); }, false},
    {"exclusive_prefix", [](const Group& g) { g.exclusive_prefix(one(), one(), sum); }, false},
    {"shift", [](const Group& g) { g.shift(1, 1); }, false},
    {"combine", [](const Group& g) { g.combine(one(), one(), sum); }, true},
    {"concat", [](const Group& g) { g.concat(one(), Ints(2)); }, true},
    {"index", [](const Group& g) { g.index(Ints(2), Ints(2)); }, true},
    {"reduce_scatter", [](const Group& g) { g.reduce_scatter(Ints(2), one(), sum); }, true},
    {"sync", [](const Group& g) { g.sync(); }, true},
    {"partition", [](const Group& g) { static_cast<void>(g.partition(0)); }, true},
};

TEST_P(Pairs, OfDifferentCallsAreAnErrorThatNamesBoth) {
  const auto& [first, second, kind, barrier] = GetParam();
  const std::string one = first.name, other = second.name;
  if (one == other || both_wait(one, other, barrier)) GTEST_SKIP() << "nothing is wrong, or nobody has sent anything";
  std::atomic<int> named = 0;
  run({kind, 2, barrier}, [&, &first = first, &second = second](Process& self) {
    const auto tell = [&](const std::function<void()>& call) {
      try {
        call();
      } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.code(), ErrorCode::mismatch) << text;
        EXPECT_NE(text.find("rank 0 (pid 0, host0) called " + one), std::string::npos) << text;
        EXPECT_NE(text.find("rank 1 (pid 1, host0) called " + other), std::string::npos) << text;
        ++named;
      }
    };
    const Group row = self.all().subrange(0, 1, 2);
    tell([&] { (self.pid() == 0 ? first : second).call(row); });
    tell([&] { row.sync(); });
    tell([&] { self.leave(); });
  });
  EXPECT_GT(named, 0);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Pairs,
                         ::testing::Combine(::testing::ValuesIn(calls_of_two), ::testing::ValuesIn(calls_of_two),
                                            ::testing::ValuesIn(every_kind), ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_and_" + std::get<1>(info.param).name +
                                  "_" + to_string(std::get<2>(info.param)) +
                                  (std::get<3>(info.param) ? "_barrier" : "");
                         });

}  // namespace
}  // namespace cohort::testing
