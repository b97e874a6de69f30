// SPDX-License-Identifier: Apache-2.0
#include "launcher/doctor/findings.hpp"

#include <gtest/gtest.h>

namespace cohort::doctor {
namespace {

HostFacts well(const std::string& name) {
  HostFacts host;
  host.name = name;
  host.address = "10.0.0." + std::to_string(name.back() - 'a' + 1);
  host.resolved = {host.address};
  host.addresses = {host.address};
  host.boot = "boot of " + name;
  host.clock = ClockOffset{0.001, 0.0005};
  return host;
}

PairFacts pair(int from, int to, double alpha = 20e-6, double beta = 8e-9) {
  PairFacts measured{from, to, Network{}, ""};
  measured.network->alpha = alpha;
  measured.network->beta = beta;
  return measured;
}

Facts three() {
  Facts facts;
  facts.program = "/opt/cohort";
  facts.remote_shell = "ssh";
  facts.hosts = {well("a"), well("b"), well("c")};
  facts.pairs = {pair(0, 1), pair(0, 2), pair(1, 0), pair(1, 2), pair(2, 0), pair(2, 1)};
  return facts;
}

Finding only(const Facts& facts) {
  const std::vector<Finding> findings = findings_of(facts);
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? Finding{} : findings.front();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Findings, NoneIfAllIsWell) { EXPECT_TRUE(findings_of(three()).empty()); }

TEST(Findings, AHostThatIsNotReachedComesWithARemedyForItsCause) {
  const std::pair<const char*, const char*> cases[] = {
      {"a@b: Permission denied (publickey)", "ssh-copy-id b"},
      {"Host key verification failed.", "ssh b"},
      {"ssh: Could not resolve hostname b: Name or service not known", "/etc/hosts"},
      {"ssh: connect to host b port 22: Connection refused", "--rsh"},
      {"bash: line 1: /opt/cohort: No such file or directory", "at the same path as here: /opt/cohort"},
      {"sh: 1: /opt/cohort: not found", "at the same path as here: /opt/cohort"},
      {"cohort there is of version 0.1.0, here of version 0.2.0", "the same version"},
      {"cohort agent: cannot reach the launcher; tried 10.0.0.1:4711", "--ports"},
      {"cannot reach the launcher; tried 10.0.0.1: Connection refused (the name does not resolve here: ...)",
       "--ports"},
      {"its agent has not called back within 30 s", "ssh b true"},
      {"the remote shell exited with status 1 (the name does not resolve here: ...)", "/etc/hosts"},
      {"a cause that nobody has thought of", "by hand: ssh b true"}};
  for (const auto& [cause, remedy] : cases) {
    Facts facts = three();
    facts.hosts[1].trouble = cause;
    facts.pairs.clear();
    const Finding finding = only(facts);
    EXPECT_TRUE(finding.problem);
    EXPECT_EQ(finding.what, std::string("b: ") + cause);
    EXPECT_TRUE(holds(finding.to_do, remedy)) << cause << ": " << finding.to_do;
  }
}

TEST(Findings, PortsAreEnoughForProcessesAndMeasurement) {
  Facts facts = three();
  facts.ports = {7000, 7004};
  facts.hosts[2].processes = 4;
  for (HostFacts& host : facts.hosts) host.free_ports = 5;
  EXPECT_TRUE(findings_of(facts).empty());
  facts.hosts[2].free_ports = 4;
  const Finding finding = only(facts);
  EXPECT_TRUE(finding.problem);
  EXPECT_EQ(finding.what, "c: 4 of the 5 ports 7000-7004 are free, and 4 processes need 5");
}

TEST(Findings, AnAddressThatOthersCanNotReach) {
  Facts facts = three();
  facts.hosts[0].address = "127.0.1.1";
  const Finding finding = only(facts);
  EXPECT_TRUE(finding.problem);
  EXPECT_TRUE(holds(finding.to_do, "--interface; it has 10.0.0.1")) << finding.to_do;
}

TEST(Findings, AnotherPathOfCohort) {
  Facts facts = three();
  facts.hosts[1].program = facts.program;
  facts.hosts[2].program = "/mnt/cohort";
  const Finding finding = only(facts);
  EXPECT_FALSE(finding.problem);
  EXPECT_EQ(finding.what, "c: cohort is /mnt/cohort there, and /opt/cohort here");
}

TEST(Findings, OfClocksThoseThatDifferMoreThanTheMeasurement) {
  Facts facts = three();
  facts.hosts[1].clock = ClockOffset{-3.1, 0.001};
  facts.hosts[2].clock = ClockOffset{0.8, 0.9};
  const Finding finding = only(facts);
  EXPECT_FALSE(finding.problem);
  EXPECT_EQ(finding.what, "b: its clock is 3.1 s behind this one");
}

TEST(Findings, HostsOfOneMachineAndNamesOfTheShellAlone) {
  Facts facts = three();
  facts.hosts[1].boot = facts.hosts[0].boot;
  facts.hosts[2].unresolved = "Name or service not known";
  const std::vector<Finding> findings = findings_of(facts);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(holds(findings[0].what, "only the remote shell knows c, which here does not resolve: Name"));
  EXPECT_EQ(findings[1].what, "a, b are one machine: they share its cores");
  EXPECT_FALSE(findings[0].problem || findings[1].problem);
}

TEST(Findings, PairsWithoutAConnectionAndSlowOnes) {
  Facts facts = three();
  facts.pairs[1].network.reset();
  facts.pairs[1].trouble = "no answer within 10 s";
  facts.pairs[5] = pair(2, 1, 20e-6, 80e-9);
  facts.pairs[4] = pair(2, 0, 900e-6);
  facts.pairs[3] = pair(1, 2, 100e-6);  // five times the others' latency, but short
  const std::vector<Finding> findings = findings_of(facts);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_TRUE(findings[0].problem);
  EXPECT_EQ(findings[0].what, "a does not reach c at 10.0.0.3: no answer within 10 s");
  EXPECT_EQ(findings[1].what, "from c to a the latency is 45 times that of other pairs");
  EXPECT_EQ(findings[2].what, "from c to b the time for each byte is 10 times that of other pairs");
  EXPECT_FALSE(findings[1].problem || findings[2].problem);
}

TEST(Findings, APairOfBusyHostsIsNoBrokenOne) {
  Facts facts = three();
  facts.pairs[1].network.reset();
  facts.pairs[1].trouble = "the hosts were too busy";
  facts.pairs[1].is_busy = true;
  const Finding finding = only(facts);
  EXPECT_FALSE(finding.problem);
  EXPECT_EQ(finding.what, "a reaches c at 10.0.0.3, but could not measure it: the hosts were too busy");
}

TEST(Findings, AHostWithSlowLinksOnlyIsToldOnce) {
  Facts facts = three();
  for (PairFacts& one : facts.pairs) {
    if (one.from == 2 || one.to == 2) one.network->beta = 80e-9;
  }
  const Finding finding = only(facts);
  EXPECT_FALSE(finding.problem);
  EXPECT_EQ(finding.what, "c: in all its pairs the time for each byte is at least 4 times that of other pairs");
}

}  // namespace
}  // namespace cohort::doctor
