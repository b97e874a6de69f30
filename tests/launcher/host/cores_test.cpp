// SPDX-License-Identifier: Apache-2.0
// What control groups say, read from trees of files as Linux and containers show them.
#include "launcher/host/cores.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "launcher/host/cpu_quota.hpp"
#include "launcher/host/machine.hpp"
#include "launcher/host/memory_kills.hpp"

namespace cohort {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups() {
    std::string pattern = std::filesystem::temp_directory_path() / "cohort-groups-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~ControlGroups() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void v2(const std::string& group, const std::string& top = "/") {
    write("/proc/self/cgroup", "0::" + group + "\n");
    write("/proc/self/mountinfo",
          "22 1 0:20 / /proc rw - proc proc rw\n"
          "31 23 0:28 " +
              top + " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void v1(const std::string& group, const std::string& top = "/") {
    write("/proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:" + group + "\n3:memory:" + group + "\n0::/\n");
    write("/proc/self/mountinfo",
          "30 23 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "31 23 0:28 " +
              top +
              " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
              "33 23 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
              "32 23 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  }
  void quota_v1(const std::string& group, const std::string& quota) {
    write("/sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_quota_us", quota + "\n");
    write("/sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_period_us", "100000\n");
  }
  double quota() const { return cpu_quota(root_).processors; }
  std::string limiting_group() const { return cpu_quota(root_).group; }
  std::uint64_t kills() const { return memory_kills(root_); }
  MemoryDeaths deaths() const { return MemoryDeaths(root_); }

  // One process, beside our own, is in this group of the same hierarchies.
  static constexpr pid_t process = 77;
  void move(const std::string& group) {
    write("/proc/77/cgroup", "4:cpu,cpuacct:/\n3:memory:" + group + "\n0::" + group + "\n");
  }
  void remove(const std::string& path) { std::filesystem::remove_all(root_ + path); }
  void machine_kills(int count) { write("/proc/vmstat", "pgfault 12\noom_kill " + std::to_string(count) + "\n"); }
  void kills_v1(const std::string& group, int count) {
    write("/sys/fs/cgroup/memory" + group + "/memory.oom_control",
          "under_oom 0\noom_kill " + std::to_string(count) + "\n");
  }
  void kills_v2(const std::string& group, int count) {
    write("/sys/fs/cgroup" + group + "/memory.events", "low 0\noom 9\noom_kill " + std::to_string(count) + "\n");
  }

 private:
  std::string root_;
};

TEST_F(ControlGroups, KillsAreThoseOfTheProcesssOwnGroupAndElseTheMachines) {
  EXPECT_EQ(kills(), 0u);
  write("/proc/vmstat", "pgfault 12\noom_kill 7\nswap 1\n");
  EXPECT_EQ(kills(), 7u);
  v2("/pod/box");
  EXPECT_EQ(kills(), 7u);
  write("/sys/fs/cgroup/pod/box/memory.events", "low 0\nhigh 0\nmax 3\noom 2\noom_kill 1\n");
  EXPECT_EQ(kills(), 1u);
  v1("/job");
  EXPECT_EQ(kills(), 7u);
  write("/sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  EXPECT_EQ(kills(), 2u);
}

constexpr int killed = 9;

TEST_F(ControlGroups, EachKillForWantOfMemoryExplainsOneDeathByIt) {
  constexpr int exited = 3 << 8, terminated = 15, shell_of_killed = 137 << 8;
  const auto kills = [&](int count) { write("/proc/vmstat", "oom_kill " + std::to_string(count) + "\n"); };
  kills(7);
  MemoryDeaths deaths = this->deaths();
  EXPECT_FALSE(deaths.explain(killed, {}));
  kills(8);
  EXPECT_FALSE(deaths.explain(exited, {}));
  EXPECT_FALSE(deaths.explain(terminated, {}));
  EXPECT_TRUE(deaths.explain(killed, {}));
  EXPECT_FALSE(deaths.explain(killed, {}));
  kills(10);
  EXPECT_TRUE(deaths.explain(killed, {}));
  EXPECT_TRUE(deaths.explain(shell_of_killed, {}));
  EXPECT_FALSE(deaths.explain(killed, {}));
}

TEST_F(ControlGroups, Case7AKillInAGroupThatAProcessMovedItselfToExplainsItsDeath) {
  for (const std::string group : {"/elsewhere", "/job/own", "/job/own/nested"}) {
    for (const bool second : {false, true}) {
      SCOPED_TRACE(group + (second ? ", version 2" : ", version 1"));
      second ? v2("/job") : v1("/job");
      const auto kills = [&](const std::string& of, int count) { second ? kills_v2(of, count) : kills_v1(of, count); };
      machine_kills(5);
      kills("/job", 1);
      kills(group, 3);
      move("/job");
      MemoryDeaths deaths = this->deaths();
      deaths.look({process});
      move(group);
      deaths.look({process});
      EXPECT_FALSE(deaths.explain(killed, {process + 1}));
      kills(group, 4);
      machine_kills(6);
      if (second && group.starts_with("/job")) kills("/job", 2);
      EXPECT_TRUE(deaths.explain(killed, {process}));
      EXPECT_FALSE(deaths.explain(killed, {process})) << "twice";
      EXPECT_FALSE(deaths.explain(killed, {})) << "and of another one";
    }
  }
}

TEST_F(ControlGroups, Case7AKillExplainsADeathThoughTheProcessHasJustMovedOrItsGroupIsGone) {
  for (const bool seen : {false, true}) {
    v1("/job");
    kills_v1("/job", 1);
    kills_v1("/own", 0);
    machine_kills(5);
    MemoryDeaths deaths = this->deaths();
    if (seen) move("/own");
    deaths.look({process});
    kills_v1("/own", 1);
    machine_kills(6);
    remove("/sys/fs/cgroup/memory/own");
    EXPECT_TRUE(deaths.explain(killed, {process}));
    EXPECT_FALSE(deaths.explain(killed, {}));
  }
}

TEST_F(ControlGroups, Case7KillsOfOthersOnTheMachineExplainNothingLater) {
  v1("/job");
  kills_v1("/job", 0);
  move("/job");
  machine_kills(5);
  MemoryDeaths deaths = this->deaths();
  machine_kills(8);
  for (int look = 0; look < 2; ++look) deaths.look({process});
  EXPECT_FALSE(deaths.explain(killed, {process}));
}

TEST_F(ControlGroups, QuotaWithoutControlGroupsThereIsNone) { EXPECT_EQ(quota(), unlimited); }

TEST_F(ControlGroups, QuotaOfV2IsTheLeastOfTheGroupsThatHoldTheProcess) {
  v2("/pod/box/job");
  write("/sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
  write("/sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("/sys/fs/cgroup/pod/box/job/cpu.max", "50000 50000\n");
  EXPECT_EQ(quota(), 1);
  write("/sys/fs/cgroup/elsewhere/cpu.max", "1000 100000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(ControlGroups, QuotaSaysWhichGroupHasItWhateverItIsCalled) {
  v2("/pod/box");
  EXPECT_EQ(limiting_group(), "");
  write("/sys/fs/cgroup/pod/cpu.max", "200000 100000\n");
  const std::string pod = limiting_group();
  EXPECT_NE(pod, "");
  v2("/pod/other");
  EXPECT_EQ(limiting_group(), pod);
  write("/sys/fs/cgroup/pod/other/cpu.max", "100000 100000\n");
  EXPECT_NE(limiting_group(), pod);
}

TEST_F(ControlGroups, QuotaOfAContainerIsWhereItsOwnGroupIsMounted) {
  v2("/");  // with a name space of its own
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
  v2("/docker/4f/inner", "/docker/4f");  // with the host's
  write("/sys/fs/cgroup/inner/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
  v2("/../neighbour");  // moved out of it
  EXPECT_EQ(quota(), 2);
}

TEST_F(ControlGroups, QuotaOfV1IsReadWhereverTheHierarchyIsMounted) {
  v1("/pod/job");
  quota_v1("", "-1");
  quota_v1("/pod", "-1");
  EXPECT_EQ(quota(), unlimited);
  quota_v1("/pod", "300000");
  EXPECT_EQ(quota(), 3);
  quota_v1("/pod/job", "250000");
  EXPECT_EQ(quota(), 2.5);
  v1("/docker/4f", "/docker/4f");
  quota_v1("", "100000");
  EXPECT_EQ(quota(), 1);
}

TEST_F(ControlGroups, QuotaOfBrokenFilesIsNone) {
  v2("/job");
  for (const char* text : {"", "max", "100000", "100000 0", "-5 100000", "x y"}) {
    write("/sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(quota(), unlimited) << text;
  }
  write("/proc/self/cgroup", "nonsense\n:\n");
  write("/proc/self/mountinfo", "1 2 3 - cgroup2\n\n");
  EXPECT_EQ(quota(), unlimited);
}

TEST(Cores, OnlyWholeOnesCount) {
  EXPECT_EQ(whole_cores(8, unlimited), 8);
  EXPECT_EQ(whole_cores(8, 2), 2);
  EXPECT_EQ(whole_cores(8, 1.5), 1);
  EXPECT_EQ(whole_cores(8, 0.5), 0);
  EXPECT_EQ(whole_cores(1, 4), 1);
}

TEST(Cores, HostsOfOneMachineShareWhatLimitsThem) {
  const auto common = [](std::vector<Machine> hosts) { return cores_in_common(hosts); };
  EXPECT_EQ(common({{"a", 64, 2, "0-63 1:7"}, {"a", 64, 2, "0-63 1:7"}}), 2);  // two namespaces of one container
  EXPECT_EQ(common({{"a", 64, 2, "0-63 1:7"}, {"a", 64, 4, "0-63 1:8"}}), 6);  // two containers
  EXPECT_EQ(common({{"a", 4, 3, "0-2"}, {"a", 4, 3, "1-3"}}), 4);              // that overlap
  EXPECT_EQ(common({{"a", 64, 0, "0-63 1:7"}, {"a", 64, 0, "0-63 1:7"}}), 1);  // less than one
  EXPECT_EQ(common({{"a", 64, 2, "0-63 1:7"}, {"b", 64, 2, "0-63 1:7"}}), 0);  // two machines
  EXPECT_EQ(common({{"", 64, 2, "0-63"}, {"", 64, 2, "0-63"}}), 0);            // that are not known
}

}  // namespace
}  // namespace cohort
