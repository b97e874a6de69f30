// SPDX-License-Identifier: Apache-2.0
// Develop mode: members whose calls differ get an error, all of them the same, that names two members and both calls
// with their source lines. Calls that agree give what they give in run mode.
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "tests/support/collective_checks.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using Calls = void (*)(const Group&);

struct Difference {
  const char* name;
  std::vector<std::string> words;  // of the error
  Calls most;                      // what all members call but rank 2
  Calls rank_2;
};

std::vector<int> a(40), b(40);  // nobody gets as far as to write there
const auto four = std::span(a).first(4);
const auto five = std::span(a).first(5);
const auto out = std::span(b);
const std::vector<Count> ones = {1, 1, 1, 1, 1}, two_at_the_end = {1, 1, 1, 1, 2}, twos = {2, 1, 1, 1, 2};

int least_of(int x, int y) { return std::min(x, y); }

const Difference differences[] = {
    {"Operations",
     {"rank 0 (pid 0, host0) called bcast of 4 int, root 0 (agreement_test.cpp:",
      "rank 2 (pid 2, host0) called combine of 4 int, Sum (agreement_test.cpp:", "operations differ"},
     [](const Group& g) { g.bcast(four, 0); },
     [](const Group& g) { g.combine(in_place(four), sum); }},
    {"OrderOfCalls",
     {"#1", "sync", "combine of 4 int", "operations differ"},
     [](const Group& g) {
       g.combine(in_place(four), sum);
       g.sync();
     },
     [](const Group& g) {
       g.sync();
       g.combine(in_place(four), sum);
     }},
    {"OneCallMore",
     {"#2", "called sync", "called partition", "operations differ"},
     [](const Group& g) {
       g.sync();
       static_cast<void>(g.partition(0));
     },
     [](const Group& g) {
       g.sync();
       g.sync();
       static_cast<void>(g.partition(0));
     }},
    {"RootsOfBcast",
     {"root 0", "root 1", "roots differ"},
     [](const Group& g) { g.bcast(four, 0); },
     [](const Group& g) { g.bcast(four, 1); }},
    {"RootsOfReduce",
     {"root 0", "root 2", "roots differ"},
     [](const Group& g) { g.reduce(in_place(four), sum, 0); },
     [](const Group& g) { g.reduce(in_place(four), sum, 2); }},
    {"RootsOfGather",
     {"root 4", "root 2", "roots differ"},
     [](const Group& g) { g.gather(four, out.first(20), 4); },
     [](const Group& g) { g.gather(four, out.first(20), 2); }},
    {"SizesOfBcast",
     {"bcast of 4 int", "bcast of 5 int", "sizes differ"},
     [](const Group& g) { g.bcast(four, 0); },
     [](const Group& g) { g.bcast(five, 0); }},
    {"SizesOfShift",
     {"shift of 4 int", "shift of 5 int", "sizes differ"},
     [](const Group& g) { g.shift(four, out.first(4), 1); },
     [](const Group& g) { g.shift(five, out.first(5), 1); }},
    {"BlocksOfScatter",
     {"scatter of blocks of 4 int", "scatter of blocks of 5 int",
      "the sizes differ; parts of different sizes need counts, or scatter_all of C++"},
     [](const Group& g) { g.scatter(std::span(a).first(20), out.first(4), 0); },
     [](const Group& g) { g.scatter(std::span(a).first(20), out.first(5), 0); }},
    {"BlocksOfIndex",
     {"index of blocks of 2 int", "index of blocks of 4 int", "sizes differ"},
     [](const Group& g) { g.index(std::span(a).first(10), out.first(10)); },
     [](const Group& g) { g.index(std::span(a).first(20), out.first(20)); }},
    {"CountsOfConcat",
     {"blocks of 1, 1, 1, 1, 1 int", "blocks of 1, 1, 1, 1, 2 int", "sizes differ ("},
     [](const Group& g) { g.concat(std::span(a).first(1), out.first(5), ones); },
     [](const Group& g) { g.concat(std::span(a).first(1), out.first(6), two_at_the_end); }},
    {"CountsForEachPair",
     {"rank 0 (pid 0, host0) sends 1 elements to rank 2 (pid 2, host0) (agreement_test.cpp:", "which expects 2",
      "sizes differ"},
     [](const Group& g) { g.index(std::span(a).first(5), ones, out.first(5), ones); },
     [](const Group& g) { g.index(std::span(a).first(5), ones, out.first(7), twos); }},
    {"CountsOrEqualBlocks",
     {"index of blocks of int, a size for each pair", "index of blocks of 1 int", "sizes differ"},
     [](const Group& g) { g.index(std::span(a).first(5), ones, out.first(5), ones); },
     [](const Group& g) { g.index(std::span(a).first(5), out.first(5)); }},
    {"Types",
     {"combine of 4 int", "combine of 4 float", "element types differ"},
     [](const Group& g) { g.combine(in_place(four), sum); },
     [](const Group& g) {
       std::vector<float> data(4);
       g.combine(in_place(data), sum);
     }},
    {"Operators",
     {"Sum", "Maximum", "operators differ"},
     [](const Group& g) { g.combine(in_place(four), sum); },
     [](const Group& g) { g.combine(in_place(four), maximum); }},
    {"OperatorsOfUsers",
     {"a commutative lambda", "int(*)(int,int)", "operators differ"},
     [](const Group& g) { g.prefix(in_place(four), commutative([](int x, int y) { return x + y; })); },
     [](const Group& g) { g.prefix(in_place(four), commutative(least_of)); }},
    {"Commutativity",
     {"a commutative lambda", "an ordered lambda", "operators differ"},
     [](const Group& g) { g.combine(in_place(four), commutative([](int x, int y) { return x + y; })); },
     [](const Group& g) { g.combine(in_place(four), ordered([](int x, int y) { return x + y; })); }},
    {"Distances",
     {"distance 1 ", "distance 2 ", "distances differ"},
     [](const Group& g) { g.shift(four, out.first(4), 1); },
     [](const Group& g) { g.shift(four, out.first(4), 2); }},
    {"OpenShift",
     {"distance 1 ", "distance 1 without wrap-around", "distances differ"},
     [](const Group& g) { g.shift(four, out.first(4), 1); },
     [](const Group& g) { g.open_shift(four, out.first(4), 1); }},
    {"Algorithms",
     {"by bcast/binomial", "algorithms differ"},
     [](const Group& g) { g.by("binomial").bcast(four, 0); },
     [](const Group& g) { g.bcast(four, 0); }},
    {"NonBlocking",
     {"roots differ"},
     [](const Group& g) {
       Request first = g.start().sync();
       g.start().bcast(four, 3).wait();
       first.wait();
     },
     [](const Group& g) {
       g.start().sync().wait();
       g.prepare().bcast(four, 0).start().wait();
     }},
};

class Agreement : public ::testing::TestWithParam<std::tuple<Difference, Kind, bool>> {};

TEST_P(Agreement, Case51WhatDiffersIsTheSameErrorAtEveryMember) {
  const auto& [difference, kind, barrier] = GetParam();
  std::mutex mutex;
  std::set<std::string> causes;
  World world{kind, 5, barrier};
  world.develop = true;
  run_all(world, [&, &difference = difference](const Group& all) {
    const Group group = all.partition(0);
    try {
      (group.rank() == 2 ? difference.rank_2 : difference.most)(group);
      ADD_FAILURE() << "no error on rank " << group.rank();
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_EQ(error.code(), ErrorCode::mismatch) << text;
      for (const std::string& word : difference.words) EXPECT_NE(text.find(word), std::string::npos) << text;
      const std::size_t begin = text.find(": ");
      const std::lock_guard lock(mutex);
      causes.insert(text.substr(begin, text.rfind(" (called at ") - begin));
    }
    EXPECT_EQ(all.combine(1, sum), 5);  // other groups go on
  });
  EXPECT_EQ(causes.size(), 1u) << "not the same everywhere: " << *causes.begin() << *causes.rbegin();
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Agreement,
                         ::testing::Combine(::testing::ValuesIn(differences), ::testing::ValuesIn(every_kind),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + to_string(std::get<1>(info.param)) +
                                  (std::get<2>(info.param) ? "_barrier" : "");
                         });

class InDevelopMode : public ::testing::TestWithParam<std::tuple<CollectiveCheck, Kind, Pid>> {};

TEST_P(InDevelopMode, CollectivesAreRight) {
  const auto& [check, kind, ranks] = GetParam();
  World world{kind, ranks};
  world.develop = true;
  run_all(world, check.run);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, InDevelopMode,
                         ::testing::Combine(::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                                            ::testing::ValuesIn(every_kind), ::testing::Values(1, 2, 5)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + to_string(std::get<1>(info.param)) +
                                  "_p" + std::to_string(std::get<2>(info.param));
                         });

// Two that differ from the first: the one with the lower rank is named.
TEST(Agreement, TheFirstTwoThatDifferAreNamed) {
  World world{Kind::memory, 6};
  world.develop = true;
  run_all(world, [](const Group& all) {
    const Group group = all.partition(0);
    try {
      group.bcast(std::span(a).first(group.rank() < 3 ? 4 : 10u + static_cast<unsigned>(group.rank())), 0);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.pid(), 3);
      EXPECT_NE(std::string(error.what()).find("rank 3 (pid 3, host0) called bcast of 13 int"), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace cohort::testing
