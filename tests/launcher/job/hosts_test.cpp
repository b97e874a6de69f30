// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/hosts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "launcher/usage_error.hpp"

namespace cohort {
namespace {

std::vector<HostEntry> hosts_with(const std::vector<int>& slots) {
  std::vector<HostEntry> hosts;
  for (const int count : slots) hosts.push_back({"h" + std::to_string(hosts.size()), count});
  return hosts;
}

TEST(Place, GivesEachRankOncePutsNobodyOnAnEmptyHostAndKeepsToTheSlots) {
  for (int count = 1; count <= 4; ++count) {
    for (int slots = 0; slots <= 3; ++slots) {
      for (int ranks = 1; ranks <= 14; ++ranks) {
        if (slots > 0 && ranks > slots * count) {
          EXPECT_THROW(place(ranks, hosts_with(std::vector<int>(count, slots))), UsageError);
          continue;
        }
        Pid next = 0;
        int most = 0;
        int least = ranks;
        for (const HostPlan& host : place(ranks, hosts_with(std::vector<int>(count, slots)))) {
          EXPECT_EQ(host.first, next);
          EXPECT_GT(host.count, 0);
          EXPECT_LE(host.count, slots > 0 ? slots : ranks);
          next += host.count;
          most = std::max(most, host.count);
          least = std::min(least, host.count);
        }
        EXPECT_EQ(next, ranks);
        EXPECT_LE(most - least, slots > 0 ? slots : 1);
      }
    }
  }
}

TEST(Place, AHostWithoutSlotsAmongOthersHasOne) {
  const auto plan = place(4, hosts_with({2, 0, 3}));
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[1].count, 1);
  EXPECT_EQ(plan[2].first, 3);
}

TEST(Place, WithoutHostsAllAreHere) {
  const auto plan = place(1000, {});
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_TRUE(plan[0].local);
  EXPECT_EQ(plan[0].count, 1000);
}

TEST(ParseHosts, NamesSlotsAndAddresses) {
  const auto hosts = parse_hosts("a:2,b,10.0.0.1:3,[fe80::1]:4,pod/a");
  ASSERT_EQ(hosts.size(), 5u);
  EXPECT_EQ(hosts[0].slots, 2);
  EXPECT_EQ(hosts[1].slots, 0);
  EXPECT_EQ(hosts[2].name, "10.0.0.1");
  EXPECT_EQ(hosts[3].name, "fe80::1");
  EXPECT_EQ(hosts[3].slots, 4);
}

TEST(ParseHosts, RefusesWhatMakesNoSense) {
  for (const char* list : {"a,a", "a:1,a:2", ",a", "a:", "a:x", "a:-1", "a:0", "-oProxyCommand=x", "[::1", "[::1]x",
                           "localhost,127.0.0.1", "a:99999999999", "a,/etc/hosts"}) {
    EXPECT_THROW(parse_hosts(list), UsageError) << list;
  }
}

}  // namespace
}  // namespace cohort
