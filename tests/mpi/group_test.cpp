// SPDX-License-Identifier: Apache-2.0
// The set algebra of groups against sets, with seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "mpi/core/group_functions.hpp"
#include "tests/mpi/code_of.hpp"

namespace cohort::mpi {
namespace {

using Pids = std::vector<Pid>;

struct GroupHandle {
  ProcessGroup* group = nullptr;
  GroupHandle() = default;
  explicit GroupHandle(Pids members) : group(new ProcessGroup(std::move(members))) {}
  GroupHandle(GroupHandle&& other) noexcept : group(std::exchange(other.group, nullptr)) {}
  ~GroupHandle() {
    if (group != nullptr) group_free(group);
  }
};

template <class Function, class... Arguments>
GroupHandle made_by(Function function, Arguments&&... arguments) {
  GroupHandle result;
  function(arguments..., result.group);
  return result;
}

Pids random_members(std::mt19937& random) {
  Pids pids(12);
  std::iota(pids.begin(), pids.end(), 0);
  std::ranges::shuffle(pids, random);
  pids.resize(random() % 13);
  return pids;
}

Pids those(const Pids& from, const std::function<bool(Pid)>& wanted) {
  Pids result;
  std::ranges::copy_if(from, std::back_inserter(result), wanted);
  return result;
}

TEST(Groups, AreSetsInTheOrderOfTheFirstGroup) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    const GroupHandle a(random_members(random)), b(random_members(random));
    const Pids& in_a = a.group->members;
    const Pids& in_b = b.group->members;
    const std::set<Pid> set_a(in_a.begin(), in_a.end()), set_b(in_b.begin(), in_b.end());
    const Pids rest = those(in_b, [&](Pid pid) { return !set_a.contains(pid); });
    Pids both = in_a;
    both.insert(both.end(), rest.begin(), rest.end());

    EXPECT_EQ(made_by(group_union, *a.group, *b.group).group->members, both);
    EXPECT_EQ(made_by(group_intersection, *a.group, *b.group).group->members,
              those(in_a, [&](Pid pid) { return set_b.contains(pid); }));
    EXPECT_EQ(made_by(group_difference, *b.group, *a.group).group->members, rest);

    int result = 0;
    group_compare(*a.group, *b.group, result);
    EXPECT_EQ(result, in_a == in_b ? abi::ident : set_a == set_b ? abi::similar : abi::unequal);
    std::vector<int> ranks(in_a.size()), translated(in_a.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    group_translate_ranks(*a.group, a.group->size(), ranks.data(), *b.group, translated.data());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      EXPECT_EQ(translated[i], set_b.contains(in_a[i]) ? b.group->rank_of(in_a[i]) : abi::undefined);
    }
  }
}

TEST(Groups, ListsAndRangesChooseTheSame) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    Pids members(20);
    std::iota(members.begin(), members.end(), 100);
    std::ranges::shuffle(members, random);
    const GroupHandle group(members);
    std::vector<int> ranges, ranks;
    for (int i = 0; i < 2; ++i) {
      const int first = static_cast<int>(random() % 20), last = static_cast<int>(random() % 20);
      const int stride = static_cast<int>(random() % 3 + 1) * (first <= last ? 1 : -1);
      ranges.insert(ranges.end(), {first, last, stride});
      for (int rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) ranks.push_back(rank);
    }
    const int n = static_cast<int>(ranks.size());
    const std::set<int> distinct(ranks.begin(), ranks.end());
    GroupHandle result;
    if (distinct.size() != ranks.size()) {
      EXPECT_EQ(code_of([&] { group_range_incl(*group.group, 2, ranges.data(), result.group); }), abi::err_rank);
      EXPECT_EQ(code_of([&] { group_excl(*group.group, n, ranks.data(), result.group); }), abi::err_rank);
      continue;
    }
    Pids chosen;
    for (const int rank : ranks) chosen.push_back(members[static_cast<std::size_t>(rank)]);
    const Pids rest = those(members, [&](Pid pid) { return std::ranges::find(chosen, pid) == chosen.end(); });
    EXPECT_EQ(made_by(group_incl, *group.group, n, ranks.data()).group->members, chosen);
    EXPECT_EQ(made_by(group_range_incl, *group.group, 2, ranges.data()).group->members, chosen);
    EXPECT_EQ(made_by(group_excl, *group.group, n, ranks.data()).group->members, rest);
    EXPECT_EQ(made_by(group_range_excl, *group.group, 2, ranges.data()).group->members, rest);
  }
}

TEST(Groups, EmptyResultsAreTheEmptyGroup) {
  const GroupHandle group(Pids{3, 1, 2});
  GroupHandle result = made_by(group_difference, *group.group, *group.group);
  EXPECT_EQ(result.group, &ProcessGroup::empty());
  for (int i = 0; i < 3; ++i) {  // a program may free it as often as it gets it
    ProcessGroup* freed = result.group;
    group_free(freed);
    EXPECT_EQ(freed, nullptr);
  }
  EXPECT_EQ(made_by(group_incl, *group.group, 0, nullptr).group, &ProcessGroup::empty());
  EXPECT_EQ(made_by(group_excl, *group.group, 0, nullptr).group->members, group.group->members);
}

TEST(Groups, RefuseWrongRanksAndRanges) {
  const GroupHandle group(Pids{3, 1, 2});
  ProcessGroup* result = nullptr;
  const auto incl = [&](std::vector<int> ranks) {
    return code_of([&] { group_incl(*group.group, static_cast<int>(ranks.size()), ranks.data(), result); });
  };
  EXPECT_EQ(incl({0, 3}), abi::err_rank);
  EXPECT_EQ(incl({-1}), abi::err_rank);
  EXPECT_EQ(incl({1, 1}), abi::err_rank);
  EXPECT_EQ(code_of([&] { group_incl(*group.group, -1, nullptr, result); }), abi::err_arg);
  const auto range = [&](int first, int last, int stride) {
    const int triple[] = {first, last, stride};
    return code_of([&] { group_range_incl(*group.group, 1, triple, result); });
  };
  EXPECT_EQ(range(0, 2, 0), abi::err_arg);
  EXPECT_EQ(range(0, 2, -1), abi::err_arg);
  EXPECT_EQ(range(0, 3, 1), abi::err_rank);
  EXPECT_EQ(range(0, std::numeric_limits<int>::max(), 1), abi::err_rank);
  EXPECT_EQ(result, nullptr);
  const int null_process[] = {abi::proc_null};
  int translated = 0;
  group_translate_ranks(*group.group, 1, null_process, *group.group, &translated);
  EXPECT_EQ(translated, abi::proc_null);
}

}  // namespace
}  // namespace cohort::mpi
